import { formatTable } from '../report.ts'

/** The file that `schemathesis_hooks.py` writes. */
export interface Counts {
  /** Responses by status. */
  statuses: Readonly<Record<string, number>>
  /** Ids of the operations that were called. */
  operations: readonly string[]
  /** By title of the failure, then by operation and status. */
  findings: Readonly<Record<string, Readonly<Record<string, readonly Finding[]>>>>
}

interface Finding {
  failure: string
  request: string
  body: string
  response: string
}

/** Examples of one kind of failure at one place; the others say the same. */
const shownExamples = 2

/** Returns the counts of a phase and its findings as Markdown. */
export function reportOf({ statuses, operations, findings }: Counts): string {
  const cases = sum(Object.values(statuses))
  const share = (count: number) => `${count} (${((100 * count) / Math.max(1, cases)).toFixed(1)} %)`
  const classes = Object.groupBy(Object.entries(statuses), ([status]) => (status === '401' ? '401' : `${status[0]}xx`))
  const rows = Object.entries(classes).map(([name, group = []]) => [
    `responses ${name}`,
    share(sum(group.map(([, count]) => count))),
  ])
  const places = Object.entries(findings).flatMap(([title, found]) =>
    Object.entries(found).map(([place, all]) => ({ title, place, all })),
  )
  const table = formatTable(
    ['', ''],
    [
      ['operations', operations.length],
      ['cases', cases],
      ...rows.sort(),
      ['findings', findingsOf({ statuses, operations, findings })],
      ...places.map(({ title, place, all }) => [`${title}: ${place}`, all.length]),
    ],
  )
  const examples = places.flatMap(({ title, place, all }) =>
    all.slice(0, shownExamples).map((example) => `${title}: ${place}: ${JSON.stringify(example, null, 2)}`),
  )
  return [table, '', ...examples].join('\n')
}

/** Returns the number of failed checks. */
export const findingsOf = ({ findings }: Counts): number =>
  sum(Object.values(findings).flatMap((places) => Object.values(places).map((all) => all.length)))

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
