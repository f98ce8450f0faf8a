import { Time } from '../../ui/data/time.tsx'
import { Callout } from '../../ui/message/callout.tsx'
import { describeDisabledReason } from '../attempts/delivery-status.ts'
import type { SubscriptionView } from '../shared/subscription-name.ts'

/** Shows the warnings of a subscription. */
export function SubscriptionNotices({
  subscription,
  previousExpiresAt,
}: {
  subscription: SubscriptionView
  /** Of a rotation on this page; null if the previous secret has ended. */
  previousExpiresAt: string | null | undefined
}) {
  const { status, disabled_reason, disabled_at, warnings } = subscription
  return (
    <>
      {status === 'disabled' && (
        <Callout tone="danger" title="This subscription is disabled">
          {describeDisabledReason(disabled_reason)} Since <Time value={disabled_at} format="absolute" />, matching
          events are recorded as skipped. Enable it, then replay them: nothing is lost.
        </Callout>
      )}
      {warnings.length > 0 && (
        <Callout tone="warning" title="Check this">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Callout>
      )}
      {previousExpiresAt !== undefined && previousExpiresAt !== null && (
        <Callout>
          Until <Time value={previousExpiresAt} format="absolute" /> deliveries are signed with both secrets; the
          previous one makes x-webhook-signature-previous.
        </Callout>
      )}
      {previousExpiresAt === null && <Callout>Deliveries are signed with the new secret only.</Callout>}
    </>
  )
}
