// `muster version`.

export function printVersion(version: string): void {
  console.log(`muster ${version} (node ${process.version})`);
}
