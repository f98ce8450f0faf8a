import type { DeliveryDetail } from '@wp/contracts'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { formatCount, formatDuration } from '../../ui/format/format.ts'
import { CodeBlock } from '../../ui/values/code-block.tsx'
import { Badge, StatusBadge, Time } from '../../ui/values/values.tsx'
import { type AttemptStage, type AttemptTimings, stagesOf } from './attempt-stages.ts'
import styles from './attempt-timeline.module.css'
import { describeErrorKind, describeStatusCode, toSentence } from './delivery-status.ts'

type Attempt = z.infer<typeof DeliveryDetail>['attempts'][number]

/** The attempts of a delivery, the last one first. */
export const AttemptList = ({ attempts }: { attempts: readonly Attempt[] }) => (
  <ol className={styles.attempts} aria-label="Attempts" reversed>
    {attempts.toReversed().map((attempt, index) => (
      <AttemptItem key={attempt.id} attempt={attempt} isLast={index === 0} />
    ))}
  </ol>
)

const problemOf = ({ outcome, error_kind, error_message, status_code }: Attempt): string | undefined => {
  if (error_kind !== null && outcome === 'failed')
    return [describeErrorKind(error_kind), error_message].filter(Boolean).join(': ')
  return outcome === 'failed' && status_code !== null ? toSentence(describeStatusCode(status_code)) : undefined
}

function AttemptItem({ attempt, isLast }: { attempt: Attempt; isLast: boolean }) {
  const problem = problemOf(attempt)
  const { number, outcome, status_code, error_kind, address, timings, response_headers, response_body } = attempt
  const headerCount = Object.keys(response_headers).length
  return (
    <li className={styles.attempt}>
      <div className={styles.head}>
        <h3>Attempt {number}</h3>
        <StatusBadge status={outcome} />
        {status_code !== null && <Badge>HTTP {status_code}</Badge>}
        {error_kind !== null && <Badge tone="danger">{error_kind.replaceAll('_', ' ')}</Badge>}
        <Time value={attempt.started_at} format="absolute" />
      </div>
      {problem !== undefined && <p className="secondary breakable">{problem}</p>}
      <AttemptTimeline timings={timings} />
      {(headerCount > 0 || response_body !== null || address !== null) && (
        <details className={styles.details} open={isLast}>
          <summary>
            {status_code === null ? 'Connection' : 'Response'}{' '}
            {headerCount > 0 && `with ${formatCount(headerCount, 'header')}`}
          </summary>
          <div>
            {address !== null && (
              <p>
                {status_code === null ? 'Tried at' : 'Connected to'} <code>{address}</code>
              </p>
            )}
            {headerCount > 0 && <HeaderList headers={response_headers} />}
            {response_body ? (
              <CodeBlock code={response_body} label={`Body of the response to attempt ${number}`} wrap />
            ) : (
              <p>{status_code === null ? 'There was no response.' : 'The response has no body.'}</p>
            )}
            {attempt.response_truncated && <p>The body is longer; its first part was kept.</p>}
          </div>
        </details>
      )}
    </li>
  )
}

const stageNames: Readonly<Record<AttemptStage['name'], string>> = {
  dns: 'DNS',
  connect: 'Connect',
  tls: 'TLS',
  'first byte': 'First byte',
  rest: 'Rest',
}

/** The stages of an attempt as a bar, with the duration of each. */
export function AttemptTimeline({ timings }: { timings: AttemptTimings }) {
  const stages = stagesOf(timings)
  return (
    <div className="stack-2">
      <div className={styles.bar} aria-hidden="true">
        {stages.map(({ name, share }) => (
          <span key={name} className={styles.part} data-stage={name} style={{ width: `${100 * share}%` }} />
        ))}
      </div>
      <ul className={styles.legend} aria-label="Stages of the attempt">
        {stages.map(({ name, ms }) => (
          <li key={name}>
            <span className={styles.swatch} data-stage={name} />
            {stageNames[name]} <strong>{formatDuration(ms)}</strong>
          </li>
        ))}
        <li>
          Total <strong>{formatDuration(timings.total_ms)}</strong>
        </li>
      </ul>
    </div>
  )
}

/** Names and values of header fields, as text. */
export const HeaderList = ({ headers }: { headers: Readonly<Record<string, string>> }) => (
  <dl className={styles.headers}>
    {Object.entries(headers).map(([name, value]) => (
      <div key={name} style={{ display: 'contents' }}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const tickMs = 1_000

/** The time until a moment, counted down in seconds. Assistive technology gets it when it is asked for. */
export function Countdown({ until }: { until: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  const left = Math.ceil((Date.parse(until) - now) / 1000) * 1000
  return (
    <time dateTime={until} title={until} style={{ fontVariantNumeric: 'tabular-nums' }}>
      {left <= 0 ? 'due now' : `in ${formatDuration(left)}`}
    </time>
  )
}
