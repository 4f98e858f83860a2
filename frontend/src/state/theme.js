import { set } from "./actions.js";
import { change, state, subscribe } from "./store.js";

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

const preferred = () => (prefersDark.matches ? "dark" : "light");

export const resolvedTheme = (theme) => (theme === "system" ? preferred() : theme);

const show = () => {
  document.documentElement.dataset.theme = resolvedTheme(state.settings.theme);
};

export function followTheme() {
  show();
  prefersDark.addEventListener("change", () => change({}));
  subscribe(show);
}

export function switchTheme() {
  const next = resolvedTheme(state.settings.theme) === "dark" ? "light" : "dark";
  set({ theme: next === preferred() ? "system" : next });
}
