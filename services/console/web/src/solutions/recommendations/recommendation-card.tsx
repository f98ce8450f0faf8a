import { useCan } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Link } from '../../ui/button/button-link.tsx'
import { formatRounded } from '../../ui/chart/round-value.ts'
import { formatAmount, formatPercent } from '../../ui/format/format.ts'
import { useSentence, useWordFormat } from '../../ui/format/format-time.ts'
import { Callout } from '../../ui/message/message.tsx'
import { Badge, StatusBadge, Time } from '../../ui/values/values.tsx'
import { describeWindow, type Figure, kindName, type Recommendation, readFigures } from './read-figures.ts'
import styles from './recommendations.module.css'
import type { Decision } from './use-decisions.ts'

/** A recommendation: what it saves, what to do, why, and the figures behind it. */
export function RecommendationCard({
  recommendation,
  selection,
  onDecide,
  isOfRun = false,
}: {
  recommendation: Recommendation
  /** Lets the person select it, to decide several at once. */
  selection?: { isSelected: boolean; onSelect: () => void }
  onDecide: (decision: Decision) => void
  /** It stands on the page of its forecast. */
  isOfRun?: boolean
}) {
  const {
    kind,
    status,
    rationale,
    saving,
    expected_effect: effect,
    follow_up: followUp,
    warnings = [],
  } = recommendation
  const sentence = useSentence()
  const title = sentence(recommendation.title)
  // The card of a forecast has a heading around it.
  const Heading = isOfRun ? 'h3' : 'h2'
  const canDecide = useCan()('solutions:run') && status === 'open'
  return (
    <article
      className={styles.card}
      data-selected={selection?.isSelected ?? false}
      data-selectable={selection !== undefined}
      aria-label={title}
    >
      {selection !== undefined &&
        (canDecide ? (
          <input
            type="checkbox"
            aria-label={`Select: ${title}`}
            checked={selection.isSelected}
            onChange={selection.onSelect}
          />
        ) : (
          <span />
        ))}
      <div className="stack-2">
        <div className={styles.badges}>
          <Badge tone={kind === 'capacity_alert' ? 'warning' : 'neutral'}>{kindName(kind)}</Badge>
          {status !== 'open' && <StatusBadge status={status} />}
          {followUp && <Badge tone={followUpTone[followUp.status]}>{followUpText[followUp.status]}</Badge>}
        </div>
        {saving !== null && (
          <p className={styles.saving}>
            {formatAmount(saving.amount, saving.currency)} <span>a year</span>
          </p>
        )}
        <Heading>{title}</Heading>
        {warnings.length > 0 && <Callout tone="warning">{warnings.map(sentence).join(' ')}</Callout>}
        <p className="secondary breakable">{sentence(rationale)}</p>
        {effect && saving === null && <p>{sentence(effect.description)}</p>}
        <Facts recommendation={recommendation} isOfRun={isOfRun} />
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

function Facts({ recommendation, isOfRun }: { recommendation: Recommendation; isOfRun: boolean }) {
  const formatDay = useWordFormat('shortDay', 'UTC')
  const {
    confidence,
    window,
    created_at: createdAt,
    last_forecast_run_id: runId,
    scenario_id: scenarioId,
  } = recommendation
  return (
    <div className={styles.facts}>
      {scenarioId !== null && (
        <Link to="/$workspaceId/scenarios/$scenarioId" params={{ scenarioId }}>
          See the plan and the arithmetic
        </Link>
      )}
      {!isOfRun && (
        <Link to="/$workspaceId/forecasts/$runId" params={{ runId }}>
          Open the forecast
        </Link>
      )}
      {window && <span>{describeWindow(window, formatDay)}</span>}
      {/* Of a closure, the sentence says on which share of days everyone has a place. */}
      {confidence !== null && scenarioId === null && <span>{formatPercent(confidence)} sure</span>}
      {!isOfRun && (
        <span>
          Made <Time value={createdAt} />
        </span>
      )}
    </div>
  )
}

/** The figures of a recommendation as bars of a common scale. */
function FigureBars({ recommendation }: { recommendation: Recommendation }) {
  const figures = readFigures(recommendation)
  const highest = Math.max(...figures.map(({ value }) => value), 0)
  if (highest === 0) return null
  return (
    <dl className="stack-1">
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
      <span className={styles.value}>{formatRounded(value)}</span>
    </dd>
  </div>
)
