import type { ReactNode } from 'react'
import { formatCount, formatNumber } from '../../../ui/format/format.ts'
import { Callout } from '../../../ui/message/message.tsx'
import { Stack } from '../../../ui/page/page.tsx'
import { CodeBlock } from '../../../ui/values/code-block.tsx'
import { Stat, Stats, Time, TimeNote } from '../../../ui/values/values.tsx'
import { type DestinationView, describeError } from '../destination-words.ts'

/** Describes the state of writing in a sentence. */
export function HealthSentence({ destination: { status, content, position, disabled_at, health } }: Health): ReactNode {
  const { lag, last_success_at: written, last_failure_at: failed, next_attempt_at: next } = health
  const waiting = lag === 0 ? 'nothing waits' : `${formatCount(lag, 'record waits', 'records wait')}`
  if (status === 'disabled')
    return (
      <>
        Disabled <Time value={disabled_at} />; {waiting}.
      </>
    )
  if (health.state === 'failing')
    return (
      <>
        The last write failed <Time value={failed} />; {waiting}.{' '}
        {next === null ? (
          'The next attempt is under way.'
        ) : (
          <>
            The next attempt is <Time value={next} />.
          </>
        )}
      </>
    )
  if (written === null)
    return lag === 0
      ? `Nothing written yet. The next ${content === 'audit' ? 'audit record' : 'event'} will be the first.`
      : `Nothing written yet; ${waiting}.`
  return (
    <>
      Written up to record {formatNumber(position)}, <Time value={written} />; {waiting}.
    </>
  )
}

interface Health {
  destination: DestinationView
}

const disabledReasons: Readonly<Record<string, string>> = {
  requested: 'A person or program of the workspace disabled it.',
  gone: 'The other side answered 410, which means that it wants no further records.',
  failing: 'Writes had failed for 5 days without a success.',
}

/** The reason why nothing is written, and what to do about it. */
export function HealthNotices({ destination: { status, disabled_reason, health } }: Health) {
  const { last_error: error } = health
  const { reason, advice } = describeError(error?.code ?? '')
  return (
    <>
      {status === 'disabled' && (
        <Callout tone={disabled_reason === 'requested' ? 'info' : 'warning'} title="This event destination is disabled">
          {disabledReasons[disabled_reason ?? ''] ?? ''} Its records wait. Enable it, and it goes on where it stopped,
          as far as they are still kept.
        </Callout>
      )}
      {error !== null && (
        <Callout tone="warning" title={`${reason}.`}>
          <Stack>
            <p>
              {advice && `${advice}. `}
              {status === 'active' &&
                'The write is repeated until it succeeds, and nothing later is written before it.'}
            </p>
            <CodeBlock label="Last error" code={error.message} wrap />
          </Stack>
        </Callout>
      )}
    </>
  )
}

/** The figures of an event destination. */
export const HealthStats = ({ destination: { position, health } }: Health) => (
  <Stats>
    <Stat label="Position" value={formatNumber(position)} note="every record up to it was written" />
    <Stat
      label="Waiting"
      value={formatNumber(health.lag)}
      note={<TimeNote label="next attempt" value={health.next_attempt_at} none="nothing waits for a retry" />}
    />
    <Stat
      label="Written"
      value={formatNumber(health.written)}
      note={<TimeNote label="last" value={health.last_success_at} none="nothing yet" />}
    />
    <Stat label="Left out" value={formatNumber(health.skipped)} note="too large, or deleted before" />
    <Stat
      label="Failed writes in a row"
      value={formatNumber(health.consecutive_failures)}
      note={<TimeNote label="last failure" value={health.last_failure_at} none="no write has failed yet" />}
    />
  </Stats>
)
