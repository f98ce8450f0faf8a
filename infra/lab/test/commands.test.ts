import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { faults } from '../src/chaos/faults/index.ts'
import { defineCommand, flagOption, listOption, numberOption, seedOption, textOption } from '../src/commands.ts'
import { faultNames } from '../src/names.ts'

describe('defineCommand', () => {
  const received: unknown[] = []
  const command = defineCommand({
    summary: 'Records its arguments.',
    words: { help: 'colours', choices: ['red', 'blue'] },
    options: {
      count: numberOption('a count', 5, [1, 9]),
      name: textOption('a name'),
      fault: listOption('a fault', ['kill', 'none']),
      quick: flagOption('less'),
      seed: seedOption(),
    },
    async run(values, words) {
      received.push([values, words])
      return !values.quick
    },
  })

  it('passes the values of options, or their defaults', async () => {
    await command.run(['--seed', '7'])
    await command.run(['red', '--count=9', '--name', 'x', '--fault', 'kill', '--fault', 'none', '--seed', '0', 'blue'])
    expect(received).toEqual([
      [{ count: 5, name: undefined, fault: [], quick: false, seed: 7 }, []],
      [{ count: 9, name: 'x', fault: ['kill', 'none'], quick: false, seed: 0 }, ['red', 'blue']],
    ])
  })

  it('returns 1 when the command finds something', async () => {
    expect([await command.run([]), await command.run(['--quick'])]).toEqual([0, 1])
  })

  it.each([
    [['--count', '10'], '--count must be a whole number from 1 to 9, not 10'],
    [['--count', 'many'], '--count must be a whole number from 1 to 9, not many'],
    [['--count', '1', '--count', '2'], '--count is given 2 times'],
    [['--fault', 'fire'], '--fault must be one of kill, none, not fire'],
    [['green'], 'must be one of red, blue, not green'],
    [['--unknown'], "Unknown option '--unknown'"],
  ])('refuses %j', async (args, message) => {
    await expect(command.run(args)).rejects.toThrow(message)
  })
})

const root = join(import.meta.dirname, '../../..')
const runProgram = (program: string, args: readonly string[]) =>
  promisify(execFile)(process.execPath, [join(root, program), ...args], { timeout: 20_000 })

describe('npm run lab and npm run bench', () => {
  it.each([
    ['infra/lab/main.ts', 'chaos'],
    ['bench/main.ts', 'webhooks'],
  ])('%s %s prints its usage for --help and starts nothing', async (program, name) => {
    const { stdout } = await runProgram(program, [name, '--seconds', 'many', '--help'])
    expect(stdout).toContain(`-- ${name} `)
  })

  it.each([
    ['infra/lab/main.ts', ['soak', '--runs', '0']],
    ['infra/lab/main.ts', ['chaos', '--fault', 'fire']],
    ['bench/main.ts', ['webhooks', '--unknown']],
    ['bench/main.ts', []],
  ])('%s exits with 2 for %j', async (program, args) => {
    await expect(runProgram(program, args)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('usage: npm run'),
    })
  })
})

describe('the names of faults', () => {
  it('are those of the faults, in their order', () => {
    expect(faultNames).toEqual(faults.map(({ name }) => name))
  })
})
