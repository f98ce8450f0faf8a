import { formatCount, formatNumber, formatPercent } from '../../../ui/format/format.ts'
import { Callout } from '../../../ui/message/message.tsx'
import { Card, Columns, Stack } from '../../../ui/page/page.tsx'
import { Badge, DefinitionList } from '../../../ui/values/values.tsx'
import { describeCoverage, describeImprovement, modelName } from '../forecast-words.ts'
import type { Group } from '../rank-groups.ts'
import type { ForecastSeries } from '../run-input.ts'
import styles from './forecast.module.css'

/** Shows the accuracy of the forecast of a group, its model, and the quality of its data. */
export function GroupDetails({ group: { name, series, improvement }, isOnly }: { group: Group; isOnly: boolean }) {
  const { accuracy, model, data_quality: quality, calendar_effects: effects = [], warnings, error } = series
  const suffix = isOnly ? '' : `: ${name}`
  return (
    <>
      {warnings.length > 0 && (
        <Callout tone="warning" title={`Notes on the data${suffix}`}>
          <ul className={styles.list}>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Callout>
      )}
      <Columns>
        <Card title={`Accuracy${suffix}`} description="Measured on the last weeks of the history">
          {accuracy ? (
            <div className={styles.scores}>
              <div className={styles.headline}>{describeImprovement(improvement)}</div>
              <AccuracyList accuracy={accuracy} />
            </div>
          ) : (
            <p>{error?.message ?? 'The accuracy of this forecast is not known.'}</p>
          )}
        </Card>
        <Stack>
          {quality && (
            <Card title={`Data quality${suffix}`}>
              <DefinitionList
                items={[
                  ['History', formatCount(quality.length, 'step')],
                  ['Gaps', gapsText(quality)],
                  ['Duplicates', formatNumber(quality.duplicates)],
                  quality.usable_share !== undefined && ['Rows used', rowsText(quality)],
                ]}
              />
            </Card>
          )}
          {effects.length > 0 && <CalendarEffects effects={effects} suffix={suffix} />}
        </Stack>
      </Columns>
      {model && <Models model={model} suffix={suffix} />}
    </>
  )
}

const gapsText = ({ gaps, imputed }: { gaps: number; imputed: number }) =>
  gaps === 0 ? 'None' : `${formatNumber(gaps)}, ${gaps === imputed ? '' : `${formatNumber(imputed)} of them `}filled in`

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
  const { mase, wape, coverage_80: coverage80, coverage_95: coverage95, baseline } = accuracy
  const compared = (own: number | null, naive: number | null, format: (value: number) => string) =>
    own === null ? undefined : `${format(own)}${naive === null ? '' : `, naive forecast ${format(naive)}`}`
  const ratio = (value: number) => value.toFixed(2)
  const percent = (value: number) => formatPercent(value, 1)
  return (
    <DefinitionList
      items={[
        wape !== null && ['Typical error (WAPE)', compared(wape, baseline.wape, percent)],
        mase !== null && ['Scaled error (MASE)', compared(mase, baseline.mase, ratio)],
        coverage80 !== null && ['80\u00a0% interval', describeCoverage(coverage80)],
        coverage95 !== null && ['95\u00a0% interval', describeCoverage(coverage95)],
        ['Naive forecast', modelName(baseline.name)],
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

function Models({ model, suffix }: { model: NonNullable<ForecastSeries['model']>; suffix: string }) {
  const format = (value: number | null, print: (value: number) => string) => (value === null ? '–' : print(value))
  return (
    <Card title={`Models${suffix}`} description="The model with the smallest error was chosen">
      <table className={styles.candidates}>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Scaled error</th>
            <th scope="col">Typical error</th>
          </tr>
        </thead>
        <tbody>
          {model.candidates.map(({ name, mase, wape }) => (
            <tr key={name} className={name === model.selected ? styles.chosen : undefined}>
              <th scope="row">
                {modelName(name)} {name === model.selected && <Badge tone="success">chosen</Badge>}
              </th>
              <td>{format(mase, (value) => value.toFixed(2))}</td>
              <td>{format(wape, (value) => formatPercent(value, 1))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
