import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { checkers, type Invariant, invariants } from '../src/chaos/checkers.ts'
import { type Entry, HistoryWriter, type NewEntry, readHistory } from '../src/chaos/history.ts'
import { mutants } from '../src/chaos/mutants.ts'

const object = 'API keys'

/** Writes entries to a file and reads them, as a run does. */
function throughFile(entries: readonly NewEntry[]): Entry[] {
  const folder = mkdtempSync(join(tmpdir(), 'wp-history-'))
  const writer = new HistoryWriter(join(folder, 'history.jsonl'))
  for (const entry of entries) writer.record(entry)
  const read = readHistory(join(folder, 'history.jsonl'))
  expect(read).toEqual(writer.entries)
  rmSync(folder, { recursive: true })
  return read
}

const add = (workspace: string, value: string, type: 'ok' | 'fail' | 'unknown' = 'ok'): NewEntry[] => {
  const entry = { client: `${workspace} writer`, workspace, object, operation: 'add', value } as const
  return [
    { ...entry, type: 'invoke' },
    { ...entry, type },
  ]
}
const receive = (workspace: string, value: string): NewEntry => ({
  client: `${workspace} receiver`,
  workspace,
  object,
  operation: 'receive',
  type: 'ok',
  ordering: 'strict',
  value,
})
const readSet = (workspace: string, values: string[]): NewEntry[] => {
  const entry = { client: `${workspace} reader`, workspace, object, operation: 'read-set', view: 'list' } as const
  return [
    { ...entry, type: 'invoke' },
    { ...entry, type: 'ok', values },
  ]
}
const readTotal = (workspace: string, total: number): NewEntry[] => {
  const entry = { client: `${workspace} reader`, workspace, object, operation: 'read-total', view: 'usage' } as const
  return [
    { ...entry, type: 'invoke' },
    { ...entry, type: 'ok', total },
  ]
}
const readForeign = (workspace: string, values: string[]): NewEntry[] => {
  const entry = { client: `${workspace} intruder`, workspace, object, operation: 'read-foreign' } as const
  return [
    { ...entry, type: 'invoke' },
    { ...entry, type: 'ok', values },
  ]
}

const good = [
  ...add('A', 'a1'),
  receive('A', 'a1'),
  ...add('B', 'b1'),
  ...readSet('A', ['a1']),
  ...add('A', 'a2'),
  ...add('A', 'a3', 'fail'),
  ...readForeign('B', []),
  receive('A', 'a2'),
  receive('A', 'a1'), // a repetition
  receive('B', 'b1'),
  ...readTotal('A', 2),
  ...readSet('A', ['a2', 'a1']),
  ...readSet('B', ['b1']),
]

const violated = (history: readonly Entry[]): Invariant[] =>
  invariants.filter((name) => checkers[name](history).violations.length > 0)

describe('the checkers', () => {
  it('accept a history without defects, and compare something in it', () => {
    const history = throughFile(good)
    expect(violated(history)).toEqual([])
    expect(invariants.map((name) => checkers[name](history).checked)).toEqual([3, 1, 3, 8])
  })

  it.each(Object.entries(mutants))('report the mutant %s as a violation of one invariant', (_, mutant) => {
    expect(violated(mutant.apply(throughFile(good)))).toEqual([mutant.violates])
  })

  it.each<[string, boolean, string[]]>([
    ['contains', false, ['a1', 'a2']],
    ['lacks', false, ['a1']],
    ['contains twice', true, ['a1', 'a2', 'a2']],
  ])('treat a read that %s a value of an unknown result as a violation: %s', (_, isViolation, values) => {
    const history = throughFile([...add('A', 'a1'), ...add('A', 'a2', 'unknown'), ...readSet('A', values)])
    expect(violated(history)).toEqual(isViolation ? ['set'] : [])
  })

  it('report a value whose creation was refused', () => {
    const history = throughFile([...add('A', 'a1', 'fail'), ...readSet('A', ['a1'])])
    expect(checkers.set(history).violations).toEqual(['unexpected: a1, in the list of API keys of A (entry 3)'])
  })

  it('accept a total between the certain and the possible number', () => {
    const history = (total: number) =>
      throughFile([...add('A', 'a1'), ...add('A', 'a2', 'unknown'), ...readTotal('A', total)])
    expect([0, 1, 2, 3].map((total) => checkers.total(history(total)).violations.length)).toEqual([1, 0, 0, 1])
  })

  it('require no value that was added while the read was in progress, and allow it', () => {
    const [invoke, end] = readSet('A', ['a2']) as [NewEntry, NewEntry]
    const history = throughFile([invoke, ...add('A', 'a1'), ...add('A', 'a2'), end])
    expect(violated(history)).toEqual([])
  })

  it('accept any order of concurrent changes', () => {
    const [first, firstEnd] = add('A', 'a1') as [NewEntry, NewEntry]
    const second = add('A', 'a2').map((entry) => ({ ...entry, client: 'A second writer' }))
    const history = throughFile([first, ...second, firstEnd, receive('A', 'a2'), receive('A', 'a1')])
    expect(violated(history)).toEqual([])
  })
})
