// Conditions, taints and messages are written by whoever has a node: what reaches a terminal is words, never its commands.

/** With a mark in place of every control character, line breaks included. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what must not pass
  return text.replaceAll(/[\u0000-\u001F\u007F-\u009F]+/g, '�');
}
