// espalier on files in memory. Each call works alone: nothing is kept from one to the next.

/** Contents by name; names are paths with `/` below the current folder. */
export type Files = Record<string, string | Uint8Array>;

/**
 * The options of the command by their long names: `{ failOn: 'note' }` is `--fail-on note`, `true` a flag, and an array an
 * option that is given several times. `paths`: the files and folders to work on; without it, all.
 */
export type Options = Record<string, string | number | boolean | readonly (string | number)[] | undefined> & {
  paths?: readonly string[];
};

export type Severity = 'error' | 'warning' | 'note';

/** schemas/findings.schema.json says what else there is. */
export interface Finding {
  code: string;
  rule: string;
  severity: Severity;
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  message: string;
  hint?: string;
  related?: { file: string; line: number; column: number; message: string }[];
  [more: string]: unknown;
}

export interface Report {
  version: 1;
  findings: Finding[];
  summary: { files: number; errors: number; warnings: number; notes: number; [more: string]: number };
}

/** What `espalier lint --format json` writes. Throws where the command could not do its work. */
export function lint(files: Files, options?: Options): Report;

/** What `espalier compile --format json` writes, and the asset if there are no errors. */
export function compile(files: Files, options?: Options): Report & { asset?: Uint8Array };

/** What `espalier replay --format jsonl` writes: the events of all traces; and what it says of expectations. */
export function replay(files: Files, options?: Options): { holds: boolean; events: Record<string, unknown>[]; report: string };

/** Any command: run(['explain', 'SEL101']). */
export function run(words: readonly string[], files?: Files, options?: { input?: string | Uint8Array }): {
  status: number;
  output: string;
  errors: string;
  /** Files that the command has made or changed. */
  files: Record<string, Uint8Array>;
};
