import { NewSubscription } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { usePortal } from '../../session/portal-context.ts'
import { Input, Radio } from '../../ui/form/controls.tsx'
import { FieldGroup } from '../../ui/form/field.tsx'
import { errorOf, Form, FormField, firstMessage } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { Card, Stack } from '../../ui/page/page.tsx'
import { UseReceiverButton } from '../receivers/use-receiver-button.tsx'
import type { AuthenticationChoice } from '../shared/authentication-choice.ts'
import { type HeaderRow, toHeaders } from '../shared/header-rows.ts'
import type { SubscriptionView } from '../shared/subscription-name.ts'
import { isReceiverAddress } from '../shared/subscription-name.ts'
import styles from '../shared/webhooks.module.css'
import { AuthenticationField, HeadersField } from './authentication-field.tsx'
import { EndpointChecks, OriginWarning, RateLimitField } from './endpoint-fields.tsx'
import { EventsPicker, FilterField } from './events-picker.tsx'
import { SecretChoice } from './secret-choice.tsx'

/** Values of the form, in the shape of a creation. */
export type SubscriptionValues = z.output<typeof NewSubscription>

/** The stored secrets that are kept, which the values of the form do not contain. */
export interface KeptSecrets {
  headers: readonly HeaderRow[]
  isAuthenticationKept: boolean
}

/** Creates or changes a subscription. @param subscription the one to change; undefined to create one */
export function SubscriptionForm({
  subscription,
  initialEvents = [],
  onSubmit,
  onCancel,
}: {
  subscription?: SubscriptionView
  initialEvents?: string[]
  onSubmit: (values: SubscriptionValues, kept: KeptSecrets) => Promise<unknown>
  onCancel: () => void
}) {
  const [headerRows, setHeaderRows] = useState<HeaderRow[]>(() =>
    Object.keys(subscription?.headers ?? {}).map((name, key) => ({ key, name, value: '', isStored: true })),
  )
  const stored = subscription?.authentication ?? null
  const [authentication, setAuthentication] = useState<AuthenticationChoice>({ isKept: stored !== null, value: null })
  const { form, ...state } = useApiForm({
    schema: NewSubscription,
    defaultValues: {
      delivery: subscription?.delivery ?? 'push',
      endpoint: subscription?.endpoint ?? '',
      events: subscription?.events ?? initialEvents,
      description: subscription?.description ?? '',
      ordering: subscription?.ordering ?? 'best_effort',
      filter: subscription?.filter ?? null,
      rate_limit: subscription?.rate_limit ?? null,
      authentication: null,
      headers: {},
      secret: undefined,
      generate_secret: subscription === undefined,
    },
    onSubmit: (values) => onSubmit(values, { headers: headerRows, isAuthenticationKept: authentication.isKept }),
  })
  const [delivery, endpoint = '', events, ordering, secret, generates, rateLimit] = form.watch([
    ...(['delivery', 'endpoint', 'events', 'ordering', 'secret', 'generate_secret', 'rate_limit'] as const),
  ])
  const isPushed = delivery !== 'poll'
  const isPortal = usePortal() !== undefined
  const setReceiver = (address: string) => {
    form.setValue('endpoint', address, { shouldDirty: true, shouldValidate: true })
    if (events.length === 0) form.setValue('events', ['*'], { shouldDirty: true })
  }
  const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted } as const
  return (
    <Form {...state} submitLabel={subscription === undefined ? 'Add webhook' : 'Save changes'} onCancel={onCancel}>
      <Card title="Destination">
        <Stack>
          {!isPortal && (
            <DeliveryField isPushed={isPushed} onChange={(next) => form.setValue('delivery', next, options)} />
          )}
          {isPushed && (
            <div>
              <FormField form={form} name="endpoint" label="Endpoint" empty="omit">
                <Input isMono type="url" placeholder="https://example.com/webhooks" autoComplete="off" />
              </FormField>
              {isReceiverAddress(endpoint) ? (
                <p className={styles.receiver}>
                  A test receiver of the platform: the page of the webhook shows what arrives, for 7 days.
                </p>
              ) : (
                <>
                  <EndpointChecks endpoint={endpoint} />
                  {!isPortal && (
                    <div className={styles.receiver}>
                      <UseReceiverButton onCreated={setReceiver} />
                      No receiver yet? The platform can receive and verify for you.
                    </div>
                  )}
                </>
              )}
            </div>
          )}
          {subscription && <OriginWarning subscription={subscription} endpoint={endpoint} />}
          <FormField form={form} name="description" label="Description" isOptional empty="null">
            <Input placeholder="Orders service" autoComplete="off" />
          </FormField>
        </Stack>
      </Card>
      <Card>
        <Stack>
          <EventsPicker
            value={events}
            onChange={(next) => form.setValue('events', next, options)}
            error={errorOf(form, 'events')}
          />
          <FilterField
            initial={subscription?.filter ?? null}
            // A text that is not JSON is no filter, so the schema rejects it.
            onChange={(next) => form.setValue('filter', next as SubscriptionValues['filter'], options)}
            errors={form.formState.errors.filter}
          />
        </Stack>
      </Card>
      <Card title="Security and order">
        <Stack>
          {subscription === undefined && isPushed && (
            <SecretChoice
              secret={secret}
              isGenerated={generates === true}
              error={errorOf(form, 'secret')}
              onChange={(choice) => {
                form.setValue('generate_secret', choice.isGenerated, options)
                form.setValue('secret', choice.secret, options)
              }}
            />
          )}
          {isPushed && (
            <HeadersField
              rows={headerRows}
              onChange={(rows) => {
                setHeaderRows(rows)
                form.setValue('headers', toHeaders(rows), options)
              }}
              error={firstMessage(form.formState.errors.headers)}
            />
          )}
          {isPushed && (
            <AuthenticationField
              stored={stored}
              choice={authentication}
              onChange={(next) => {
                setAuthentication(next)
                form.setValue('authentication', next.value, options)
              }}
              errors={form.formState.errors.authentication}
            />
          )}
          {isPushed && (
            <RateLimitField
              value={rateLimit ?? null}
              onChange={(next) => form.setValue('rate_limit', next, options)}
              error={errorOf(form, 'rate_limit')}
            />
          )}
          <OrderingField
            value={ordering ?? 'best_effort'}
            onChange={(next) => form.setValue('ordering', next, options)}
          />
        </Stack>
      </Card>
    </Form>
  )
}

const DeliveryField = ({ isPushed, onChange }: { isPushed: boolean; onChange: (value: 'push' | 'poll') => void }) => (
  <FieldGroup label="Delivery">
    <Stack>
      <Radio
        name="delivery"
        label="Push to an endpoint"
        hint="The platform sends each event to an HTTPS address of yours, at once"
        checked={isPushed}
        onChange={() => onChange('push')}
      />
      <Radio
        name="delivery"
        label="Poll"
        hint="Your receiver fetches its deliveries. For systems that cannot be reached from outside"
        checked={!isPushed}
        onChange={() => onChange('poll')}
      />
    </Stack>
  </FieldGroup>
)

type Ordering = SubscriptionValues['ordering']

const OrderingField = ({ value, onChange }: { value: Ordering; onChange: (value: Ordering) => void }) => (
  <FieldGroup label="Order">
    <Stack>
      <Radio
        name="ordering"
        label="Best effort"
        hint="Deliveries are sent at once, several at a time; a failed one delays no other"
        checked={value === 'best_effort'}
        onChange={() => onChange('best_effort')}
      />
      <Radio
        name="ordering"
        label="Strict"
        hint="One at a time, in the order of the events. A failed delivery holds all later ones back until it succeeds or its attempts are exhausted"
        checked={value === 'strict'}
        onChange={() => onChange('strict')}
      />
    </Stack>
  </FieldGroup>
)
