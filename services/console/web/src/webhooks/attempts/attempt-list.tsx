import type { DeliveryDetail } from '@wp/contracts'
import type { z } from 'zod'
import { Badge, StatusBadge } from '../../ui/data/badge.tsx'
import { CodeBlock } from '../../ui/data/code-block.tsx'
import { Time } from '../../ui/data/time.tsx'
import { formatCount } from '../../ui/format/format.ts'
import styles from './attempt-timeline.module.css'
import { AttemptTimeline, HeaderList } from './attempt-timeline.tsx'
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
      {problem !== undefined && <p className={styles.problem}>{problem}</p>}
      <AttemptTimeline timings={timings} />
      {(headerCount > 0 || response_body !== null || address !== null) && (
        <details className={styles.details} open={isLast}>
          <summary>Response {headerCount > 0 && `with ${formatCount(headerCount, 'header')}`}</summary>
          <div>
            {address !== null && (
              <p>
                Connected to <code>{address}</code>
              </p>
            )}
            {headerCount > 0 && <HeaderList headers={response_headers} />}
            {response_body ? (
              <CodeBlock code={response_body} label={`Body of the response to attempt ${number}`} wrap />
            ) : (
              <p>The response has no body.</p>
            )}
            {attempt.response_truncated && <p>The body is longer; its first part was kept.</p>}
          </div>
        </details>
      )}
    </li>
  )
}
