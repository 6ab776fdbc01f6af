// Why a text is no time, in the words of Go: where the reading stopped and which part of the layout it stopped at.

type Step = { readonly part: string; readonly form: RegExp; readonly max?: number; readonly name?: string };

const date: readonly Step[] = [
  { part: '2006', form: /^\d{4}/ },
  { part: '-', form: /^-/ },
  { part: '01', form: /^\d\d/, max: 12, name: 'month' },
  { part: '-', form: /^-/ },
  { part: '02', form: /^\d\d/, max: 31, name: 'day' },
  { part: 'T', form: /^T/ },
  { part: '15', form: /^\d\d/, max: 23, name: 'hour' },
  { part: ':', form: /^:/ },
  { part: '04', form: /^\d\d/, max: 59, name: 'minute' },
  { part: ':', form: /^:/ },
  { part: '05', form: /^\d\d/, max: 59, name: 'second' },
];
const zone: Step = { part: 'Z07:00', form: /^(?:Z|[+-]\d\d:\d\d)/ };

/** For a text that is known to be wrong. Without wanted digits, any fraction of a second is read. */
export function timeProblem(text: string, digits: number): string {
  const fraction: Step =
    digits === 0
      ? { part: '', form: /^(?:\.\d+)?/ }
      : { part: `.${'0'.repeat(digits)}`, form: new RegExp(`^\\.\\d{${digits}}`) };
  const steps = [...date, fraction, zone];
  const quoted = JSON.stringify(text);
  let rest = text;
  for (const { part, form, max, name } of steps) {
    const [found] = form.exec(rest) ?? [];
    if (found === undefined) {
      const layout = JSON.stringify(steps.map((step) => step.part).join(''));
      return `parsing time ${quoted} as ${layout}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(part)}`;
    }
    if (max !== undefined && Number(found) > max) return `parsing time ${quoted}: ${name} out of range`;
    rest = rest.slice(found.length);
  }
  return rest === ''
    ? `parsing time ${quoted}: day out of range`
    : `parsing time ${quoted}: extra text: ${JSON.stringify(rest)}`;
}
