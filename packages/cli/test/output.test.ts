import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { plotSeries } from '../src/commands/forecast/forecast.ts'
import type { Column } from '../src/output/columns.ts'
import { printItem, printList } from '../src/output/print.ts'
import { createProgram, type Program } from './fixture/program.ts'

const now = Date.parse('2026-01-05T12:00:00.000Z')

/** Collects what is written to a terminal or a pipe. */
function output(isTTY: boolean, env: Record<string, string> = {}) {
  let stdout = ''
  const stream = { isTTY, columns: 60, write: (text: string) => (stdout += text) }
  const context = { process: { stdout: stream, stderr: stream }, env, now: () => now }
  return { context, read: () => stdout }
}

interface Item {
  id: string
  name: string
  at: string | null
}
const items: Item[] = [
  { id: 'a', name: 'first \u001b[31mred', at: '2026-01-05T11:57:00.000Z' },
  { id: 'long id', name: 'second', at: '2026-01-07T13:00:00.000Z' },
  { id: 'c', name: 'x'.repeat(60), at: null },
]
const columns: Column<Item>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'at', value: ({ at }) => ({ time: at }) },
  { title: 'name', value: ({ name }) => name },
]
const noFlags = { json: undefined, jq: undefined }

describe('the output of lists and resources', () => {
  it('is an aligned table with relative times on a terminal, without control characters', async () => {
    const { context, read } = output(true, { NO_COLOR: '1' })
    await printList(context, noFlags, items, columns)
    expect(read().split('\n')).toEqual([
      'ID       AT             NAME',
      'a        3 minutes ago  first \\u001b[31mred',
      'long id  in 2 days      second',
      `c                       ${'x'.repeat(35)}…`,
      '',
    ])
  })

  it('has colors on a terminal only, and not with NO_COLOR', async () => {
    const bold = '\u001b[1m'
    for (const [isTTY, env, expected] of [
      [true, {}, true],
      [true, { NO_COLOR: '1' }, false],
      [true, { TERM: 'dumb' }, false],
      [false, {}, false],
    ] as const) {
      const { context, read } = output(isTTY, env)
      await printList(context, noFlags, items, columns)
      expect(read().includes(bold)).toBe(expected)
    }
  })

  it('is lines of values with absolute times in a pipe', async () => {
    const { context, read } = output(false)
    await printList(context, noFlags, items.slice(0, 2), columns)
    await printItem(context, noFlags, { id: 'd', name: 'tab\tand\nline', at: null }, columns)
    expect(read()).toBe(
      'a\t2026-01-05T11:57:00.000Z\tfirst \\u001b[31mred\nlong id\t2026-01-07T13:00:00.000Z\tsecond\n' +
        'id\td\nat\t\nname\ttab and line\n',
    )
  })

  it('is indented JSON on a terminal and one line in a pipe, of the requested fields', async () => {
    const terminal = output(true)
    await printList(terminal.context, { json: 'id', jq: undefined }, items.slice(1, 2), columns)
    expect(terminal.read()).toBe('[\n  {\n    "id": "long id"\n  }\n]\n')
    const pipe = output(false)
    await printItem(pipe.context, { json: '', jq: undefined }, { id: '\u009b', name: '\u202e', at: null }, columns)
    expect(pipe.read()).toBe('{"id":"\\u009b","name":"\\u202e","at":null}\n')
  })
})

describe('the plot of a forecast', () => {
  it('shows days, the interval and the model within the width of the terminal', () => {
    const points = Array.from({ length: 48 }, (_, hour) => ({
      ts: new Date(now + hour * 3_600_000).toISOString(),
      mean: 10 + (hour % 24),
      lower_80: 8 + (hour % 24),
      upper_80: 12 + (hour % 24),
    })) as unknown as Parameters<typeof plotSeries>[1]['points'] // its index signature contradicts `ts`
    const baseline = { name: 'seasonal_naive', mase: 1, wape: 0.2 }
    const accuracy = { mase: 0.5, wape: 0.0712, coverage_80: 0.8, coverage_95: 0.95, baseline }
    const model = { selected: 'ets', candidates: [] }
    const series = { key: { room: 'north' }, points, model, accuracy, data_quality: null, warnings: [] }
    const lines = plotSeries(output(true, { NO_COLOR: '1', LANG: 'C' }).context, series)
    expect(lines[0]).toBe('north')
    expect(lines.at(-3)?.trim().split(/\s+/)).toEqual(['01-05', '01-06', '01-07'])
    expect(lines.at(-2)).toBe('model ets, error in backtests 7.1 % (WAPE)')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60)
    expect(lines.join('')).toMatch(/^[\x20-\x7e]*$/)
  })
})

describe('the program without a platform', () => {
  const program = join(import.meta.dirname, '../bin/wp.mjs')
  let wp: Program
  beforeAll(async () => {
    // The sources, because a test looks which modules are loaded.
    wp = await createProgram('http://127.0.0.1:9', {}, program)
  })
  afterAll(() => wp?.close())

  it('prints its version and its commands', async () => {
    expect(await wp.run(['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' })
    const { code, stdout } = await wp.run(['--help'])
    expect(code).toBe(0)
    for (const name of ['login', 'sources', 'webhooks', 'completions'])
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  it('loads the client only when a command runs, and the contracts never', async () => {
    const env = { NODE_DEBUG: 'esm', WP_API_KEY: 'key' }
    const called = await wp.run(['keys', 'list'], { env })
    expect(called.stderr).toContain('/packages/client/src/client-from-table.ts')
    expect(called.stderr).not.toContain('/zod/')
    const loaded = await wp.run(['--help'], { env })
    expect(loaded.stderr).toContain('/commands/webhooks/commands.ts')
    expect(loaded.stderr).not.toMatch(/packages\/(client|contracts)\/|\.pnpm\/(jq-wasm|@napi-rs)/)
  })

  it.each([
    [['webhooks', 'lisen'], 'unknown command "lisen"; did you mean listen?'],
    [['zzz'], 'unknown command "zzz"; see wp --help'],
    [['--verbose'], 'unknown option --verbose; see wp --help'],
    [['keys', 'list', '--limits', '3'], 'unknown option --limits; did you mean --limit?'],
    [['keys', 'list', '-q'], 'unknown option -q'],
    [['keys', 'list', '--limit'], '--limit needs a value'],
    [['keys', 'list', '--limit', '--json'], '--limit needs a value'],
    [['keys', 'list', '--limit', 'many'], 'limit "many": must be a whole number from 1 to 10000'],
    [['keys', 'list', '--limit', '1', '--limit', '2'], '--limit is given twice'],
    [['keys', 'list', 'more'], 'unexpected argument "more"'],
    [['webhooks', 'delete'], 'missing argument <webhook-id>'],
    [['search'], 'missing argument <query>'],
    [
      ['forecast', 'src_1', '--timestamp', 'at', '--timezone', 'UTC', '--frequency', 'year'],
      '--frequency "year": must be one of hour, day, week',
    ],
  ])('ends with exit code 2 and one line for %j', async (args, message) => {
    expect(await wp.run(args)).toEqual({ code: 2, stdout: '', stderr: `wp: ${message}\n` })
  })

  it('ends with exit code 1 and one line when standard output cannot be written', () => {
    const readOnly = openSync(program, 'r')
    const child = spawnSync(process.execPath, [program, '--version'], { stdio: ['ignore', readOnly, 'pipe'] })
    closeSync(readOnly)
    expect([child.status, String(child.stderr)]).toEqual([
      1,
      expect.stringMatching(/^wp: standard output cannot be written: EBADF.*\n$/),
    ])
  })

  it('prints help for a command that is named after help', async () => {
    const help = await wp.run(['help', 'sources', 'upload'])
    expect(help).toEqual(await wp.run(['sources', 'upload', '--help']))
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('wp sources upload') })
  })
})
