import { formatAmount, formatNumber } from '../../../ui/format/format.ts'
import { useSentence } from '../../../ui/format/format-time.ts'
import { Callout } from '../../../ui/message/message.tsx'
import { Card, Stack } from '../../../ui/page/page.tsx'
import { Stat, Stats } from '../../../ui/values/values.tsx'
import { commonPrefix, formatKept } from '../scenario-words.ts'
import styles from '../scenarios.module.css'
import type { ScenarioDetail, ScenarioResult, Workplace } from '../workplace.ts'
import { DemandCard } from './demand-card.tsx'
import { FloorGrid } from './floor-grid.tsx'
import { TeamMoves } from './team-moves.tsx'

/** The result of a scenario: the conclusion, the key figures, and what they are made of. */
export function ScenarioOutcome({
  scenario,
  result,
  workplace,
}: {
  scenario: ScenarioDetail
  result: ScenarioResult
  workplace: Workplace
}) {
  // Of a scenario without places the floors are in its sentences only.
  const prefix = commonPrefix(
    result.floors.length > 0
      ? result.floors.map(({ name }) => name)
      : workplace.floorsOf(scenario.space_id).map(({ id }) => workplace.nameOf(id)),
  )
  const sentence = useSentence()
  const shorten = (text: string) => (prefix === '' ? text : text.replaceAll(prefix, ''))
  const { is_feasible: isFeasible, conclusion } = result
  const [stale, warnings] = scenario.stale
    ? [result.warnings[0], result.warnings.slice(1)]
    : [undefined, result.warnings]
  return (
    <Stack>
      {stale !== undefined && (
        <Callout tone="warning" title="Decide nothing by this scenario">
          {sentence(stale)} Forecast again, and run the scenario with the new forecast.
        </Callout>
      )}
      {isFeasible ? (
        <p className={styles.conclusion}>{sentence(shorten(conclusion))}</p>
      ) : (
        <Conflict result={result} shorten={(text) => sentence(shorten(text))} />
      )}
      {result.floors.length > 0 && (
        <>
          <KeyFigures scenario={scenario} result={result} shorten={(text) => sentence(shorten(text))} />
          <FloorGrid result={result} shorten={shorten} />
          <SavingCard result={result} shorten={shorten} />
          <TeamMoves result={result} shorten={shorten} workplace={workplace} />
          <DemandCard result={result} />
        </>
      )}
      {warnings.length > 0 && (
        <Callout title="To know">
          <ul className={styles.bullets}>
            {warnings.map((warning) => (
              <li key={warning}>{sentence(shorten(warning))}</li>
            ))}
          </ul>
        </Callout>
      )}
    </Stack>
  )
}

/** The conditions that cannot all be met, and what can be done about it. */
function Conflict({ result, shorten }: { result: ScenarioResult; shorten: (text: string) => string }) {
  const [condition] = result.conflict
  const [first] = condition === undefined ? [result.conclusion] : result.conclusion.split(` ${condition}`, 1)
  return (
    <Callout tone="warning" title={shorten(first ?? result.conclusion)}>
      <ul className={styles.bullets}>
        {result.conflict.map((line) => (
          <li key={line}>{shorten(line)}</li>
        ))}
      </ul>
      <p>
        Promise a place on fewer days, close fewer floors, or plan with more places.
        {result.free.length > 0 && ' Below is what can close without missing the promise on a further weekday.'}
      </p>
    </Callout>
  )
}

function KeyFigures({
  scenario,
  result,
  shorten,
}: {
  scenario: ScenarioDetail
  result: ScenarioResult
  shorten: (text: string) => string
}) {
  const { saving, free, floors, risk, before, moved_people: moved } = result
  const sentence = useSentence()
  const closedDays = free.reduce((sum, { weekdays: days }) => sum + days.length, 0)
  const openDays = floors.reduce((sum, { open }) => sum + open.length, 0)
  const neverOpen = new Set(floors.flatMap(({ space_id: id, open }) => (open.length === 0 ? [id] : [])))
  const allWeek = free.filter(({ space_id: id }) => neverOpen.has(id)).length
  return (
    <div className={styles.figures}>
      <Stats>
        <Stat
          label="Saves a year"
          value={saving === null ? '–' : formatAmount(saving.amount, saving.currency)}
          note={
            saving === null
              ? shorten(result.saving_missing ?? 'No saving is stated.')
              : 'Costs that end with closed days'
          }
        />
        <Stat
          label="Floors that close all week"
          value={`${allWeek} of ${floors.length}`}
          note={
            closedDays === 0
              ? 'All are needed'
              : free.length === allWeek
                ? 'Every day of the week'
                : `${free.length - allWeek} ${allWeek > 0 ? 'more ' : ''}on some days: ${closedDays} of ${closedDays + openDays} floor days`
          }
        />
        {before === null ? (
          <Stat label="People who move" value="–" note="Where teams sit today is not known" />
        ) : (
          <Stat label="People who move" value={formatNumber(moved)} note="On the weekday on which most do" />
        )}
        <Stat
          label="Everyone has a place"
          value={risk === null ? '–' : formatKept(1 - risk.overflow_days)}
          note={[`Of days; ${formatKept(scenario.service_level)} promised`, sentence(risk?.people ?? '')]
            .filter(Boolean)
            .join('. ')}
        />
      </Stats>
    </div>
  )
}

/** The saving of a year with its arithmetic, line by line; rent is apart. */
function SavingCard({ result, shorten }: { result: ScenarioResult; shorten: (text: string) => string }) {
  const { saving, next_point: next } = result
  const sentence = useSentence()
  if (saving === null)
    return (
      <Card title="The saving of a year">
        <p>{sentence(shorten(result.saving_missing ?? 'No saving is stated.'))}</p>
      </Card>
    )
  const money = (amount: number) => formatAmount(amount, saving.currency)
  return (
    <Card title="The saving of a year">
      <table className={styles.plain}>
        <thead>
          <tr>
            <th scope="col">Floor</th>
            <th scope="col">Arithmetic</th>
            <th scope="col" className={styles.end}>
              Saves a year
            </th>
          </tr>
        </thead>
        <tbody>
          {saving.lines.map(({ space_id: id, name, arithmetic, amount }) => (
            <tr key={id}>
              <th scope="row">{shorten(name)}</th>
              <td>{sentence(shorten(arithmetic))}</td>
              <td className={styles.end}>{money(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Total
            </th>
            <td className={styles.end}>
              <strong>{money(saving.amount)}</strong>
            </td>
          </tr>
        </tfoot>
      </table>
      {saving.rent > 0 && (
        <p className="secondary size-table above-3">
          Not in it: {money(saving.rent)} a year of the rest, such as rent, of floors that are closed all week. It ends
          only with the lease.
        </p>
      )}
      {next?.cost != null && next.cost > 0 && (
        <p className="secondary size-table above-3">
          To keep the promise on {formatKept(next.service_level)} of days, one point more, costs {money(next.cost)} a
          year.
        </p>
      )}
    </Card>
  )
}
