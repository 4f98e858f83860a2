/** The text of an SGF file in the character set that it names, UTF-8 otherwise. */
export async function readSgf(file) {
  const bytes = await file.arrayBuffer();
  const named = /\bCA\[\s*([\w.:-]+)\s*\]/.exec(new TextDecoder("latin1").decode(bytes))?.[1];
  try {
    return new TextDecoder(named || "utf-8").decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

export function download(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/x-go-sgf" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
