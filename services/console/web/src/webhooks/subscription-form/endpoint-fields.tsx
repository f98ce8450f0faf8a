import { Icon } from '../../ui/button/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { NumberInput } from '../../ui/form/number-input.tsx'
import { Callout } from '../../ui/message/message.tsx'
import { checkEndpoint, isNewOrigin } from '../shared/check-endpoint.ts'
import type { SubscriptionView } from '../shared/subscription-name.ts'
import styles from '../shared/webhooks.module.css'

/** The rate limit of a subscription. @param value attempts per second; null: none */
export const RateLimitField = ({
  value,
  onChange,
  error,
}: {
  value: number | null
  onChange: (value: number | null) => void
  error?: string | undefined
}) => (
  <Field
    label="Rate limit"
    isOptional
    hint="Attempts per second at most, evenly spaced. What exceeds it waits"
    error={error}
  >
    <NumberInput min={0.01} max={1_000} value={value ?? undefined} onChange={(next) => onChange(next ?? null)} />
  </Field>
)

const words = { met: 'met', unmet: 'not met', open: 'not checked yet' } as const

/** The rules for an endpoint, beside its field, with the state of each. */
export const EndpointChecks = ({ endpoint }: { endpoint: string }) => (
  <ul className={styles.checks} aria-label="Rules for the endpoint">
    {checkEndpoint(endpoint).map(({ label, state }) => (
      <li key={label} data-state={state}>
        <Icon name={state === 'met' ? 'check' : state === 'unmet' ? 'close' : 'info'} size={14} />
        <span>
          {label}
          <span className="visually-hidden">: {words[state]}</span>
        </span>
      </li>
    ))}
  </ul>
)

/** Warns that stored credentials do not move to another origin. */
export function OriginWarning({ subscription, endpoint }: { subscription: SubscriptionView; endpoint: string }) {
  const { has_secret, headers, authentication } = subscription
  const hasCredentials = has_secret || authentication !== null || Object.keys(headers).length > 0
  if (!hasCredentials || !isNewOrigin(subscription.endpoint, endpoint)) return null
  return (
    <Callout tone="warning" title="The endpoint is at another origin">
      The secret, the custom headers and the authentication are for the old one and are removed. Rotate the secret
      afterwards, and enter the others again.
    </Callout>
  )
}
