import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { formatPercent } from '../../ui/format/format.ts'
import { withoutDirections } from '../../ui/format/untrusted-text.ts'
import { Badge, StatusBadge, Time } from '../../ui/values/values.tsx'
import { describeWindow, type Figure, kindName, type Recommendation, readFigures } from './read-figures.ts'
import styles from './recommendations.module.css'
import type { Decision } from './use-decisions.ts'

/** Recommendations with their decisions, one by one or several at once. */
export function RecommendationList({
  items,
  decide,
}: {
  items: readonly Recommendation[]
  decide: (ids: readonly string[], decision: Decision) => void
}) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const can = useCan()
  const open = items.filter(({ status }) => status === 'open').map(({ id }) => id)
  const selected = open.filter((id) => keys.has(id))
  const toggle = (id: string) => setKeys(new Set(keys.has(id) ? [...keys].filter((key) => key !== id) : [...keys, id]))
  const decideSelected = (decision: Decision) => {
    decide(selected, decision)
    setKeys(new Set())
  }
  return (
    <>
      {open.length > 0 && can('solutions:run') && (
        <section className={styles.toolbar} aria-label="Several recommendations">
          <label>
            <input
              type="checkbox"
              checked={selected.length === open.length}
              ref={(box) => {
                if (box) box.indeterminate = selected.length > 0 && selected.length < open.length
              }}
              onChange={() => setKeys(new Set(selected.length === open.length ? [] : open))}
            />
            {selected.length === 0 ? `Select all ${open.length} open` : `${selected.length} of ${open.length} selected`}
          </label>
          {selected.length > 0 && (
            <>
              <Button size="small" variant="primary" onClick={() => decideSelected('accepted')}>
                Accept {selected.length}
              </Button>
              <Button size="small" onClick={() => decideSelected('dismissed')}>
                Dismiss {selected.length}
              </Button>
            </>
          )}
        </section>
      )}
      <div className={styles.grid}>
        {items.map((item) => (
          <RecommendationCard
            key={item.id}
            recommendation={item}
            isSelected={selected.includes(item.id)}
            onSelect={() => toggle(item.id)}
            onDecide={(decision) => decide([item.id], decision)}
          />
        ))}
      </div>
    </>
  )
}

/** A recommendation: what to do, why, and the figures behind it. */
function RecommendationCard({
  recommendation,
  isSelected,
  onSelect,
  onDecide,
}: {
  recommendation: Recommendation
  isSelected: boolean
  onSelect: () => void
  onDecide: (decision: Decision) => void
}) {
  const { kind, status, rationale, expected_effect: effect, follow_up: followUp } = recommendation
  const title = withoutDirections(recommendation.title)
  const canDecide = useCan()('solutions:run') && status === 'open'
  return (
    <article className={styles.card} data-selected={isSelected} aria-label={title}>
      {canDecide ? (
        <input type="checkbox" aria-label={`Select: ${title}`} checked={isSelected} onChange={onSelect} />
      ) : (
        <span />
      )}
      <div className={styles.text}>
        <div className={styles.badges}>
          <Badge tone={kind === 'capacity_alert' ? 'warning' : 'neutral'}>{kindName(kind)}</Badge>
          {status !== 'open' && <StatusBadge status={status} />}
          {followUp && <Badge tone={followUpTone[followUp.status]}>{followUpText[followUp.status]}</Badge>}
        </div>
        <h2>{title}</h2>
        <p className={styles.rationale}>{withoutDirections(rationale)}</p>
        {effect && <p>{withoutDirections(effect.description)}</p>}
        <Facts recommendation={recommendation} />
        {canDecide && (
          <div className={styles.actions}>
            <Button size="small" variant="primary" onClick={() => onDecide('accepted')}>
              Accept
            </Button>
            <Button size="small" onClick={() => onDecide('dismissed')}>
              Dismiss
            </Button>
          </div>
        )}
      </div>
      <FigureBars recommendation={recommendation} />
    </article>
  )
}

const followUpText = {
  pending: 'waiting for later values',
  happened: 'it happened',
  did_not_happen: 'it did not happen',
  unknown: 'no values to check',
} as const
const followUpTone = { pending: 'running', happened: 'success', did_not_happen: 'warning', unknown: 'neutral' } as const

function Facts({ recommendation }: { recommendation: Recommendation }) {
  const workspaceId = useWorkspaceId()
  const { confidence, window, created_at: createdAt, last_forecast_run_id: runId } = recommendation
  return (
    <div className={styles.facts}>
      {confidence !== null && <span>Confidence {formatPercent(confidence)}</span>}
      {window && <span>{describeWindow(window)}</span>}
      <span>
        Made <Time value={createdAt} />
      </span>
      <Link to="/$workspaceId/forecasts/$runId" params={{ workspaceId, runId }} search={{}}>
        Open the forecast
      </Link>
    </div>
  )
}

const format = (value: number) =>
  new Intl.NumberFormat('en', { maximumFractionDigits: value >= 10 ? 0 : 1 }).format(value)

/** The figures of a recommendation as bars of a common scale. */
function FigureBars({ recommendation }: { recommendation: Recommendation }) {
  const figures = readFigures(recommendation)
  const highest = Math.max(...figures.map(({ value }) => value), 0)
  if (highest === 0) return null
  return (
    <dl className={styles.bars}>
      {figures.map((figure) => (
        <Bar key={figure.label} figure={figure} highest={highest} />
      ))}
    </dl>
  )
}

const Bar = ({ figure: { label, value, kind }, highest }: { figure: Figure; highest: number }) => (
  <div className={styles.bar}>
    <dt>{label}</dt>
    <dd>
      <span className={styles.track} aria-hidden="true">
        <span
          className={styles.fill}
          data-kind={kind}
          style={{ width: `${Math.max(1, Math.round((100 * value) / highest))}%` }}
        />
      </span>
      <span className={styles.value}>{format(value)}</span>
    </dd>
  </div>
)
