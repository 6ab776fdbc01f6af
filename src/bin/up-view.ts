// How `muster up` speaks: a live table on a terminal, plain lines in a pipe, and on stderr when stdout belongs to JSON.

import { FleetScreen, type FleetFacts, type Notice, plainNotice } from '../cli/fleet-screen.ts';
import { LiveRegion } from '../cli/live-region.ts';

export interface UpView {
  say(line: string): void;
  notice(notice: Notice): void;
  /** From now on the fleet is worth looking at. */
  show(facts: () => FleetFacts): void;
  end(): void;
}

const DRAW_MS = 200;
/** Where a terminal does not say how large it is. */
const COLUMNS_DEFAULT = 80;
const ROWS_DEFAULT = 24;

export function createUpView(output: 'text' | 'json'): UpView {
  const stream = output === 'json' ? process.stderr : process.stdout;
  return output === 'text' && stream.isTTY ? liveView(process.stdout) : plainView(stream);
}

function plainView(stream: NodeJS.WritableStream): UpView {
  const say = (line: string) => void stream.write(`${line}\n`);
  let isShown = false;
  return {
    say,
    // While everything starts, every node has something to say; a reader has not.
    notice: (notice) => (isShown ? say(plainNotice(notice)) : undefined),
    show: () => void (isShown = true),
    end() {},
  };
}

function liveView(terminal: NodeJS.WriteStream): UpView {
  const region = new LiveRegion(terminal);
  const screen = new FleetScreen();
  const hasColour = terminal.hasColors() && !process.env['NO_COLOR'];
  let draw = () => {};
  const said: string[] = [];
  let timer: NodeJS.Timeout | null = null;
  const onResize = () => region.redraw(said);
  return {
    say(line) {
      said.push(line);
      terminal.write(`${line}\n`);
    },
    notice() {},
    show(facts) {
      draw = () =>
        region.draw(
          screen.lines(facts(), {
            columns: terminal.columns || COLUMNS_DEFAULT,
            rows: (terminal.rows || ROWS_DEFAULT) - said.length,
            hasColour,
          }),
        );
      draw();
      timer ??= setInterval(() => draw(), DRAW_MS);
      terminal.on('resize', onResize);
    },
    end() {
      if (timer === null) return;
      clearInterval(timer);
      terminal.off('resize', onResize);
      draw();
      region.end();
    },
  };
}
