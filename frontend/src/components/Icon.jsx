const line = { fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round", "stroke-linejoin": "round" };

const SHAPES = {
  stones: (
    <>
      <circle cx="8.5" cy="14" r="6.5" class="icon-black" />
      <circle cx="16" cy="9" r="6.5" class="icon-white" />
    </>
  ),
  sun: (
    <g {...line}>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4" />
    </g>
  ),
  moon: <path {...line} d="M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5Z" />,
  sound: <path {...line} d="M5 9.5v5h3l4 3.5V6L8 9.5ZM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11" />,
  mute: <path {...line} d="M5 9.5v5h3l4 3.5V6L8 9.5ZM16 10l4 4M20 10l-4 4" />,
  help: <path {...line} d="M9.3 9.2a2.8 2.8 0 1 1 4 2.6c-.9.4-1.3 1-1.3 2M12 17v.1" />,
  first: <path {...line} d="M17 6l-6 6 6 6M7 6v12" />,
  back: <path {...line} d="M14.5 6l-6 6 6 6" />,
  forward: <path {...line} d="M9.5 6l6 6-6 6" />,
  last: <path {...line} d="M7 6l6 6-6 6M17 6v12" />,
  open: <path {...line} d="M9 6l6 6-6 6" />,
  refresh: <path {...line} d="M18.5 8A7.5 7.5 0 1 0 19.5 13M19 4v4.5h-4.5" />,
};

export const Icon = ({ name }) => (
  <svg class={`icon icon-${name}`} viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    {SHAPES[name]}
  </svg>
);
