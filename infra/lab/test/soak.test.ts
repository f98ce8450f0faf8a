import { describe, expect, it } from '@jest/globals'
import { eventually, readProcessInfo } from '@wp/testkit'
import { readFailures, startBusyProcesses } from '../src/soak/run-soak.ts'
import { formatSoakReport, type SoakRun, summarizeSoak } from '../src/soak/soak-report.ts'

const suites = [
  { path: 'a.test.ts', seconds: 1 },
  { path: 'b.test.ts', seconds: 3 },
]
const green: SoakRun = { seconds: 9.5, passed: 3, failures: [], messages: [], suites }

describe('summarizeSoak', () => {
  it('counts the failures of each test over all runs', () => {
    const summary = summarizeSoak([
      { ...green, seconds: 10.04, passed: 2, failures: ['a.test.ts: one'] },
      { ...green, seconds: 12, passed: 1, failures: ['b.test.ts: two', 'a.test.ts: one'] },
      green,
      { ...green, suites: [{ path: 'b.test.ts', seconds: 5 }] },
    ])
    expect(summary).toEqual({
      runs: 4,
      failedRuns: 2,
      seconds: [10, 12, 9.5, 9.5],
      failures: [
        { test: 'a.test.ts: one', count: 2, rate: 0.5 },
        { test: 'b.test.ts: two', count: 1, rate: 0.25 },
      ],
      slowest: [
        { path: 'b.test.ts', seconds: 3.5 },
        { path: 'a.test.ts', seconds: 1 },
      ],
    })
    expect(formatSoakReport(summary).split('\n')).toEqual([
      '2 of 4 runs failed',
      '',
      '| test | failed runs | rate |',
      '| --- | --- | --- |',
      '| a.test.ts: one | 2 of 4 | 50 % |',
      '| b.test.ts: two | 1 of 4 | 25 % |',
      '',
      '| slowest suites | seconds |',
      '| --- | --- |',
      '| b.test.ts | 3.5 |',
      '| a.test.ts | 1.0 |',
    ])
  })
})

describe('readFailures', () => {
  it('names failed tests by path, and suites that did not run', () => {
    const failed = [
      {
        name: '/root/a.test.ts',
        message: 'x',
        assertionResults: [
          { fullName: 'works', status: 'passed' },
          { fullName: 'fails', status: 'failed' },
        ],
      },
      { name: '/root/b.test.ts', message: 'Cannot find module', assertionResults: [] },
      { name: '/root/c.test.ts', message: '', assertionResults: [] },
    ]
    expect(readFailures(failed, '/root')).toEqual(['a.test.ts: fails', 'b.test.ts: the suite did not run'])
  })
})

describe('startBusyProcesses', () => {
  it('ends its processes when it is disposed', async () => {
    const busy = startBusyProcesses(2)
    expect(busy.pids.map((pid) => readProcessInfo(pid) !== undefined)).toEqual([true, true])
    busy[Symbol.dispose]()
    await eventually(() => busy.pids.every((pid) => readProcessInfo(pid) === undefined))
  })
})
