import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { escapeControlsInJson } from './escape-controls.ts'
import type { JsonFlags } from './flags.ts'

export const isJsonRequested = ({ json, jq }: JsonFlags): boolean => json !== undefined || jq !== undefined

/** Prints a resource or a list of resources as JSON: indented on a terminal, in one line in a pipe. */
export async function printJson(
  { process }: Pick<Context, 'process'>,
  { json = '', jq }: JsonFlags,
  value: object,
): Promise<void> {
  const selected = json === '' ? value : selectFields(value, json.split(','))
  const { stdout } = process
  if (jq !== undefined) {
    const output = await runJq(process, selected, jq)
    if (output !== '') stdout.write(`${stdout.isTTY === true ? escapeControlsInJson(output) : output}\n`)
    return
  }
  stdout.write(`${escapeControlsInJson(JSON.stringify(selected, null, stdout.isTTY === true ? 2 : undefined))}\n`)
}

function selectFields(value: object, fields: readonly string[]): unknown {
  const items: readonly object[] = Array.isArray(value) ? value : [value]
  const known = new Set(items.flatMap((item) => Object.keys(item)))
  const unknown = fields.filter((field) => !known.has(field))
  if (items.length > 0 && unknown.length > 0)
    throw new UsageError(`--json: unknown field ${unknown.join(', ')}; there are ${[...known].sort().join(', ')}`)
  const selected = items.map((item) => Object.fromEntries(fields.map((field) => [field, Reflect.get(item, field)])))
  return Array.isArray(value) ? selected : selected[0]
}

/** Runs jq over a value. Texts are printed without quotes, as by `jq --raw-output`. @throws UsageError */
async function runJq(process: Context['process'], value: unknown, expression: string): Promise<string> {
  const { raw } = await import('jq-wasm')
  try {
    return await raw(JSON.stringify(value), expression, ['-r', '-c'])
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`--jq: ${message.replace(/^jq: /, '').trim()}`, { cause })
  } finally {
    process.exitCode = null // the WebAssembly program sets its own
  }
}
