import { styleText } from 'node:util'
import type { Context } from '../context.ts'
import { type Column, formatCell } from './columns.ts'
import type { JsonFlags } from './flags.ts'
import { isJsonRequested, printJson } from './print-json.ts'

type OutputContext = Pick<Context, 'process' | 'env' | 'now'>

/** Prints a list: an aligned table with a header on a terminal; in a pipe, lines of values separated by tabs. */
export async function printList<Item extends object>(
  context: OutputContext,
  flags: JsonFlags,
  items: readonly Item[],
  columns: readonly Column<Item>[],
): Promise<void> {
  const { stdout, stderr } = context.process
  if (isJsonRequested(flags)) return printJson(context, flags, items)
  const isTerminal = stdout.isTTY === true
  const rows = items.map((item) =>
    columns.map(({ value }) => formatCell(value(item), isTerminal ? context.now() : undefined)),
  )
  if (!isTerminal) {
    for (const row of rows) stdout.write(`${row.join('\t')}\n`)
  } else if (rows.length === 0) stderr.write('There is nothing to list.\n')
  else {
    const [header = '', ...lines] = alignRows([columns.map(({ title }) => title.toUpperCase()), ...rows])
    stdout.write(
      `${highlight(context, cutLine(header, stdout.columns))}\n${lines.map((line) => `${cutLine(line, stdout.columns)}\n`).join('')}`,
    )
  }
}

/** Prints one resource, a line for each field: the name, and the value after a tab, which a terminal shows aligned. */
export async function printItem<Item extends object>(
  context: OutputContext,
  flags: JsonFlags,
  item: Item,
  fields: readonly Column<Item>[],
): Promise<void> {
  const { stdout } = context.process
  if (isJsonRequested(flags)) return printJson(context, flags, item)
  const isTerminal = stdout.isTTY === true
  const rows = fields.map(({ title, value }) => [
    title,
    formatCell(value(item), isTerminal ? context.now() : undefined),
  ])
  const lines = isTerminal ? alignRows(rows) : rows.map((row) => row.join('\t'))
  stdout.write(lines.map((line) => `${line}\n`).join(''))
}

/** Pads the values of each column to equal length, with two spaces between columns. */
function alignRows(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))))
  return rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  )
}

/** Cuts a line that the terminal would wrap; the whole text is in the JSON. */
const cutLine = (line: string, columns: number | undefined): string =>
  columns === undefined || widthOf(line) <= columns ? line : `${[...line].slice(0, columns - 1).join('')}…`

/** Length in characters as a reader counts them. */
const widthOf = (text: string): number => [...text].length

const highlight = ({ process: { stdout }, env }: OutputContext, text: string): string =>
  hasColor(stdout, env) ? styleText('bold', text, { validateStream: false }) : text

/** Returns true if colors may be used: on a terminal, unless the user has set NO_COLOR (https://no-color.org). */
export const hasColor = ({ isTTY }: Pick<Context['process']['stdout'], 'isTTY'>, env: Context['env']): boolean =>
  isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'

/** Most items that one request returns. */
const maxPageSize = 100

/** Collects the first items of a list, page by page. */
export async function collectPages<Item>(
  limit: number,
  list: (query: { limit: number; cursor?: string }) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const size = Math.min(maxPageSize, limit - items.length)
    const page = await list({ limit: size, ...(cursor === undefined ? {} : { cursor }) })
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined && items.length < limit)
  return items
}
