const PATTERN = /\*\*(.+?)\*\*|\*(.+?)\*|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g;

const isWeb = (address) => /^https?:\/\//i.test(address);

/** The few marks that texts of the results may hold, as elements; links to files of the repository become plain text. */
export function marked(source) {
  const text = String(source);
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(PATTERN)) {
    const [whole, bold, emphasis, code, label, address] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    if (bold) parts.push(<strong>{marked(bold)}</strong>);
    else if (emphasis) parts.push(<em>{marked(emphasis)}</em>);
    else if (code) parts.push(<code>{code}</code>);
    else if (isWeb(address)) parts.push(<a href={address} target="_blank" rel="noopener noreferrer">{marked(label)}</a>);
    else parts.push(label);
  }
  parts.push(text.slice(end));
  return parts;
}
