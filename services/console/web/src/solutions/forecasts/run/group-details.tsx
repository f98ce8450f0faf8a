import { formatCount, formatName, formatNumber, formatPercent } from '../../../ui/format/format.ts'
import { formatDay, formatSentence } from '../../../ui/format/format-time.ts'
import { type Reader, useReader } from '../../../ui/format/reader.ts'
import { Callout } from '../../../ui/message/message.tsx'
import { Card, Columns } from '../../../ui/page/page.tsx'
import { Badge, DefinitionList } from '../../../ui/values/values.tsx'
import {
  describeChoice,
  describeCoverage,
  describeImprovement,
  formatError,
  maseMeaning,
  modelName,
  noteWords,
  wapeMeaning,
} from '../forecast-words.ts'
import type { Group } from '../rank-groups.ts'
import type { ForecastSeries, Frequency } from '../run-input.ts'
import styles from './forecast.module.css'

/** The accuracy of the forecast of a group: errors, models, and the data behind it. */
export function GroupDetails({
  group: { name, series, improvement },
  frequency,
  isOnly,
  note,
}: {
  group: Group
  frequency: Frequency
  isOnly: boolean
  /** Says which days are not shown. */
  note: string
}) {
  const reader = useReader()
  const { accuracy, model, data_quality: quality, calendar_effects: effects = [], warnings, error } = series
  const { covariates = [], holidays } = series
  const suffix = isOnly ? '' : `: ${name}`
  return (
    <>
      {warnings.length > 0 && (
        <Callout tone="warning" title={`Notes on the data${suffix}`}>
          <ul className={styles.list}>
            {warnings.map((warning) => (
              <li key={warning}>{formatSentence(noteWords(warning), reader)}</li>
            ))}
          </ul>
        </Callout>
      )}
      <Card
        title={isOnly ? 'How accurate?' : `How accurate? ${name}`}
        description="Measured on the last weeks of the history"
      >
        {accuracy ? (
          <Columns>
            <div className="stack-3">
              <div className={styles.headline}>{describeImprovement(improvement)}</div>
              <AccuracyList accuracy={accuracy} />
            </div>
            <DefinitionList
              items={[
                quality && ['History', formatCount(quality.length, frequency)],
                quality && ['Gaps', gapsText(quality, note)],
                quality && quality.duplicates > 0 && ['Repeated times', formatNumber(quality.duplicates)],
                quality?.usable_share !== undefined && ['Rows used', rowsText(quality)],
                ...covariates.map(({ name: word, ...earns }) => [formatName(word), earnsText(earns)] as const),
                holidays !== undefined && ['Public holidays', holidaysText(holidays, reader)],
              ]}
            />
          </Columns>
        ) : (
          <p>{error?.message ?? 'The accuracy of this forecast is not known.'}</p>
        )}
        {model && <Models model={model} />}
      </Card>
      {effects.length > 0 && <CalendarEffects effects={effects} suffix={suffix} />}
    </>
  )
}

const gapsText = ({ gaps, imputed }: { gaps: number; imputed: number }, note: string) =>
  gaps === 0
    ? `None${note && ', but not all days are shown'}`
    : `${formatNumber(gaps)}, ${gaps === imputed ? '' : `${formatNumber(imputed)} of them `}filled in`

/** States the rows in use; those without a value are gaps, and not missing among them. */
function rowsText({
  rows_read: read = 0,
  rows_empty: empty = 0,
  rows_used: used = 0,
  usable_share: share = 1,
}: Quality) {
  const rows = `${formatNumber(used)} of ${formatNumber(read - empty)}`
  return share === 1 ? rows : `${rows} (${formatPercent(share, 1)})`
}

type Quality = NonNullable<ForecastSeries['data_quality']>

function AccuracyList({ accuracy }: { accuracy: NonNullable<ForecastSeries['accuracy']> }) {
  const { wape, coverage_80: coverage80, coverage_95: coverage95, baseline } = accuracy
  const naive = baseline.wape === null ? '' : `; repeating the past by ${formatError(baseline.wape)}`
  return (
    <DefinitionList
      items={[
        wape !== null && ['Typically off by', `${formatError(wape)}${naive}`],
        coverage80 !== null && ['80\u00a0% range', describeCoverage(coverage80)],
        coverage95 !== null && ['95\u00a0% range', describeCoverage(coverage95)],
        ['Compared with', modelName(baseline.name)],
      ]}
    />
  )
}

function CalendarEffects({
  effects,
  suffix,
}: {
  effects: NonNullable<ForecastSeries['calendar_effects']>
  suffix: string
}) {
  return (
    <Card title={`Kinds of days${suffix}`}>
      <DefinitionList
        items={effects.map(({ name, days, effect, applied }) => [
          name,
          effect === null
            ? 'No comparable day in the history'
            : `${effect >= 0 ? '+' : '−'}${formatPercent(Math.abs(effect))} on ${formatCount(days, 'day')}; ${
                applied ? 'applied' : 'not significant, so not applied'
              }`,
        ])}
      />
    </Card>
  )
}

type Contribution = Omit<NonNullable<ForecastSeries['covariates']>[number], 'name'>

/** Tells what it earns to know something of the days to come. */
function earnsText({ wape_with: own, wape_without: without, used }: Contribution): string {
  const errors =
    own === null || without === null
      ? ''
      : `: typically off by ${formatError(own)} with them, by ${formatError(without)} without`
  return `${used ? 'Used' : 'Not used'}${errors}`
}

const holidaysText = ({ dates, ...earns }: NonNullable<ForecastSeries['holidays']>, reader: Reader): string =>
  [
    dates.map(({ date, name }) => `${formatDay(date, reader)} ${name}`).join(', ') || 'None in these days',
    earnsText(earns),
  ].join('. ')

function Models({ model }: { model: NonNullable<ForecastSeries['model']> }) {
  const format = (value: number | null, print: (value: number) => string) => (value === null ? '–' : print(value))
  return (
    <details className={styles.more}>
      <summary>Models and their errors</summary>
      <p>{describeChoice(model)}</p>
      <table className={styles.candidates}>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col" title={wapeMeaning}>
              Typically off by (WAPE)
            </th>
            <th scope="col" title={maseMeaning}>
              Error against repeating the past (MASE)
            </th>
          </tr>
        </thead>
        <tbody>
          {model.candidates.map(({ name, mase, wape }) => (
            <tr key={name} className={name === model.selected ? styles.chosen : undefined}>
              <th scope="row">
                {modelName(name)} {name === model.selected && <Badge tone="accent">the forecast</Badge>}
              </th>
              <td>{format(wape, formatError)}</td>
              <td>{format(mase, (value) => formatNumber(value, 2))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
