import { useApiQuery } from '../../../session/workspace-context.tsx'
import { Link } from '../../../ui/button/button-link.tsx'
import { formatAmount, formatNumber } from '../../../ui/format/format.ts'
import { Callout, ErrorMessage } from '../../../ui/message/message.tsx'
import { Card } from '../../../ui/page/page.tsx'
import { dayNames, type Weekday } from '../../buildings/space-words.ts'
import { commonPrefix, formatKept, joinWords } from '../scenario-words.ts'
import styles from '../scenarios.module.css'
import type { ScenarioDetail, ScenarioResult } from '../workplace.ts'

const floorDays = ({ floors }: ScenarioResult): number => floors.reduce((sum, { open }) => sum + open.length, 0)
const maxTeams = 8

/** Reads what a scenario is compared with. `isLoading` until the whole comparison is known. */
export function useComparison(scenario: ScenarioDetail, otherId: string | undefined) {
  const hasPlaces = (one: ScenarioDetail | undefined) => (one?.result?.floors.length ?? 0) > 0
  const isWanted = otherId !== undefined && otherId !== scenario.id && scenario.result !== null
  const other = useApiQuery(
    ['scenarios', 'one', otherId],
    (api, options) => api.solutions.getScenario({ params: { id: otherId ?? '' } }, options),
    { enabled: isWanted },
  )
  const isComparable = hasPlaces(scenario) && hasPlaces(other.data)
  const comparison = useApiQuery(
    ['scenarios', 'comparison', otherId, scenario.id],
    (api, options) =>
      api.solutions.compareScenarios({ params: { id: otherId ?? '' }, query: { other_id: scenario.id } }, options),
    { enabled: isWanted && isComparable },
  )
  return { isWanted, other, comparison, isLoading: isWanted && (other.isLoading || comparison.isLoading) }
}

/** A scenario compared with another one, such as that which it changes. */
export function ComparisonCard({
  scenario,
  comparison: { other, comparison },
}: {
  scenario: ScenarioDetail
  comparison: ReturnType<typeof useComparison>
}) {
  if (other.data === undefined) return <ErrorMessage error={other.error} onRetry={() => void other.refetch()} />
  const { id: otherId, name, result: former, space_id: space } = other.data
  const title = `Compared with ${name}`
  if (comparison.error) return <ErrorMessage error={comparison.error} onRetry={() => void comparison.refetch()} />
  if (comparison.data === undefined || former === null || scenario.result === null)
    return <Callout title={title}>No places were found in one of them, so there is nothing to compare.</Callout>
  return (
    <Card
      title={title}
      actions={
        <Link
          to="/$workspaceId/scenarios/$scenarioId"
          params={{ scenarioId: otherId }}
          search={{ compare: scenario.id }}
        >
          Open it
        </Link>
      }
    >
      <Comparison
        data={comparison.data}
        former={former}
        result={scenario.result}
        isSameSpace={space === scenario.space_id}
      />
    </Card>
  )
}

const isOfTeams = ({ teams }: ScenarioResult) => teams.some(({ team_id: id }) => id !== null)

interface Compared {
  floors: readonly { space_id: string; name: string; open: Weekday[]; open_with: Weekday[] }[]
  teams: readonly { name: string }[]
}

function Comparison({
  data,
  former,
  result,
  isSameSpace,
}: {
  data: Compared
  former: ScenarioResult
  result: ScenarioResult
  isSameSpace: boolean
}) {
  const money = ({ saving }: ScenarioResult) => (saving === null ? '–' : formatAmount(saving.amount, saving.currency))
  const kept = ({ risk }: ScenarioResult) => (risk === null ? '–' : `${formatKept(1 - risk.overflow_days)} of days`)
  const rows: readonly (readonly [string, string, string])[] = [
    ['Saves a year', money(former), money(result)],
    ['Everyone has a place', kept(former), kept(result)],
    ['Floors open, days a week', formatNumber(floorDays(former)), formatNumber(floorDays(result))],
    ['People who move', formatNumber(former.moved_people), formatNumber(result.moved_people)],
  ]
  const prefix = commonPrefix(result.floors.map(({ name }) => name))
  const daysOf = (days: readonly Weekday[]) =>
    days.length === 0 ? 'closed' : `open ${days.map((day) => dayNames[day].slice(0, 3)).join(', ')}`
  const teams = data.teams.map(({ name }) => name.replace(prefix, ''))
  return (
    <div className={styles.compared}>
      <table className={styles.plain}>
        <thead>
          <tr>
            <td />
            <th scope="col" className={styles.end}>
              Before
            </th>
            <th scope="col" className={styles.end}>
              This one
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, before, now]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className={styles.end}>{before}</td>
              <td className={styles.end}>{before === now ? now : <strong>{now}</strong>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isSameSpace ? (
        <ul className={styles.bullets}>
          {isOfTeams(former) !== isOfTeams(result) && (
            <li>One plans people by their floors, and the other by their teams.</li>
          )}
          {data.floors.length === 0 && <li>The same floors are open on the same days.</li>}
          {data.floors.map(({ space_id: id, name, open, open_with: now }) => (
            <li key={id}>
              {name.replace(prefix, '')}: {daysOf(now)}, before {daysOf(open)}.
            </li>
          ))}
          {teams.length > 0 && (
            <li>
              {joinWords(
                teams.length > maxTeams ? [...teams.slice(0, maxTeams), `${teams.length - maxTeams} more`] : teams,
              )}{' '}
              {teams.length === 1 ? 'sits' : 'sit'} elsewhere.
            </li>
          )}
        </ul>
      ) : (
        <p>They plan different buildings, so that floors and teams are not compared.</p>
      )}
    </div>
  )
}
