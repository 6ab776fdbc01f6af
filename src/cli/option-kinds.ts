// The kinds of values that options take. Each says how a value looks and what is wrong with one that does not.

import { ownLabelProblem, taintKeyProblem } from '../api/own-keys.ts';
import { err, ok } from '../base/result.ts';
import { type NodeLimit, parseNodeLimit } from '../fleet/node-limit.ts';
import { labelKeyProblem, labelValueProblem } from '../objects/label-key.ts';
import { parseDuration } from '../base/duration.ts';
import type { OptionKind } from './options.ts';

export function text(placeholder: string): OptionKind<string> {
  return {
    placeholder,
    read: (raw) => (typeof raw === 'string' ? ok(raw) : err(`must be text, not ${JSON.stringify(raw)}`)),
  };
}

/** What stands as it is in a config file, and as JSON in a flag. */
export function jsonOf(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

/** Text that something can be wrong with. */
export function checked(placeholder: string, problemOf: (text: string) => string | null): OptionKind<string> {
  return {
    placeholder,
    read(raw) {
      const problem = typeof raw === 'string' ? problemOf(raw) : `must be text, not ${JSON.stringify(raw)}`;
      return problem === null ? ok(String(raw)) : err(problem);
    },
  };
}

/** Keys and values that a node is to carry on our behalf. */
export const taintKey = checked('<key>', taintKeyProblem);
export const ownLabel = checked('<key>', ownLabelProblem);
export const nodeValue = checked('<value>', labelValueProblem);

/** The name of an object, as the API server checks it. */
export const objectName: OptionKind<string> = {
  placeholder: '<name>',
  read(raw) {
    const isName =
      typeof raw === 'string' && raw.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(raw);
    return isName
      ? ok(raw)
      : err(`must be lower-case letters, digits, '-' and '.', not ${JSON.stringify(raw)}`);
  },
};

export const flagSwitch: OptionKind<boolean> = {
  placeholder: '',
  read(raw) {
    if (raw === true || raw === 'true') return ok(true);
    if (raw === false || raw === 'false') return ok(false);
    return err(`must be true or false, not ${JSON.stringify(raw)}`);
  },
};

export function choice<const C extends string>(choices: readonly C[]): OptionKind<C> {
  return {
    placeholder: `<${choices.join('|')}>`,
    read(raw) {
      const found = choices.find((each) => each === raw);
      return found === undefined
        ? err(`must be one of ${choices.join(', ')}, not ${JSON.stringify(raw)}`)
        : ok(found);
    },
  };
}

export type Bounds = { readonly min: number; readonly max: number };

export function number({ min, max }: Bounds): OptionKind<number | null> {
  return {
    placeholder: '<number>',
    read(raw) {
      const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
      const isInBounds = typeof value === 'number' && value >= min && value <= max;
      return isInBounds
        ? ok(value)
        : err(`must be a number from ${min} to ${max}, not ${JSON.stringify(raw)}`);
    },
  };
}

export function whole({ min, max }: Bounds): OptionKind<number> {
  return {
    placeholder: '<number>',
    read(raw) {
      const value = typeof raw === 'string' && /^\d+$/.test(raw) ? Number(raw) : raw;
      const isInBounds = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
      return isInBounds
        ? ok(value)
        : err(`must be a whole number from ${min} to ${max}, not ${JSON.stringify(raw)}`);
    },
  };
}

export function duration(bounds: { readonly min: string; readonly max: string }): OptionKind<number> {
  const [minMs, maxMs] = [parseDuration(bounds.min) ?? 0, parseDuration(bounds.max) ?? Infinity];
  return {
    placeholder: '<duration>',
    read(raw) {
      const ms = typeof raw === 'string' ? parseDuration(raw) : null;
      if (ms !== null && ms >= minMs && ms <= maxMs) return ok(ms);
      return err(
        `must be a duration from ${bounds.min} to ${bounds.max} such as 10m, not ${JSON.stringify(raw)}`,
      );
    },
  };
}

export type Address = { readonly host: string; readonly port: number };

/** `:8081`, `127.0.0.1:8081`, `[::1]:8081`; `0` switches the server off. */
export const address: OptionKind<Address | null> = {
  placeholder: '<host:port>',
  read(raw) {
    if (raw === '0' || raw === 0) return ok(null);
    const match = typeof raw === 'string' ? /^(\[[0-9a-fA-F:.]+\]|[^:\s]*):(\d{1,5})$/.exec(raw) : null;
    const port = Number(match?.[2]);
    if (match === null || port > 65_535)
      return err(
        `must be an address such as :8081 or 127.0.0.1:8081, or 0 for none, not ${JSON.stringify(raw)}`,
      );
    return ok({ host: (match[1] ?? '').replace(/^\[|\]$/g, ''), port });
  },
};

/** Comma-separated in a flag, a list in a config file. */
export const labelKeyList: OptionKind<readonly string[]> = {
  placeholder: '<key,key...>',
  read(raw) {
    const keys: unknown = typeof raw === 'string' ? raw.split(',').map((key) => key.trim()) : raw;
    if (!Array.isArray(keys) || keys.length === 0)
      return err(`must be a list of label keys, not ${JSON.stringify(raw)}`);
    for (const key of keys as unknown[]) {
      const problem = typeof key === 'string' ? labelKeyProblem(key) : 'must be text';
      if (problem !== null) return err(`${JSON.stringify(key)} is not a label key: ${problem}`);
    }
    return ok(keys.filter((key) => typeof key === 'string'));
  },
};

export const nodeLimit: OptionKind<NodeLimit | null> = {
  placeholder: '<number|percent>',
  read(raw) {
    const limit = parseNodeLimit(raw);
    return limit === null
      ? err(`must be a number such as 10 or a share such as 25%, not ${JSON.stringify(raw)}`)
      : ok(limit);
  },
};
