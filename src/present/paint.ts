// Colours by meaning. Where there are none, the words alone must do: no colour ever says what no word says.

export type Tone = 'good' | 'busy' | 'bad' | 'dim' | 'heading' | 'plain';

const codes: Readonly<Record<Tone, string>> = {
  good: '32',
  busy: '33',
  bad: '31',
  dim: '2',
  heading: '1',
  plain: '',
};

export function paint(text: string, tone: Tone): string {
  return codes[tone] === '' ? text : painted(text, codes[tone]);
}

export function painted(text: string, code: string): string {
  return `\u001B[${code}m${text}\u001B[0m`;
}
