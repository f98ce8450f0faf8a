import { isJson, type Json } from '../schema/json.ts'
import recorded from './examples.json' with { type: 'json' }

/** An event that marks an invoice as paid. Only Stripe can sign one, so the access tests record none. */
const stripeEventExample = {
  request: {
    contentType: 'application/json',
    body: {
      id: 'evt_1RkT3L2eZvKYlo2C',
      type: 'checkout.session.completed',
      data: {
        object: {
          id: 'cs_test_a1b2c3',
          client_reference_id: 'bill_01h455vb4pex5vsknk084sn02q',
          payment_status: 'paid',
          amount_total: 5831,
          currency: 'eur',
        },
      },
    },
  },
  response: { status: 200, contentType: 'application/json', body: { received: true } },
}

/** The access tests connect no SAML identity provider. */
const samlMetadataExample = {
  response: {
    status: 200,
    contentType: 'application/samlmetadata+xml',
    body: '<?xml version="1.0"?><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://api.example.com/v1/auth/login/sso/ws_01h455vb4pex5vsknk084sn02q/metadata"><SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" WantAssertionsSigned="true"><AssertionConsumerService index="1" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://api.example.com/v1/auth/login/sso/ws_01h455vb4pex5vsknk084sn02q/callback"/></SPSSODescriptor></EntityDescriptor>',
  },
}

/** A body of a recorded exchange. */
interface RecordedBody {
  contentType: string | null
  body?: unknown
}

/** An exchange with an endpoint, recorded by the access tests without secrets. */
export interface RecordedExample {
  request?: RecordedBody
  response: RecordedBody & { status: number }
}

const examples: Readonly<Record<string, RecordedExample>> = {
  ...recorded,
  'billing.receiveStripeEvent': stripeEventExample,
  'auth.samlMetadata': samlMetadataExample,
  // Without an answer in progress, which is what access tests meet, there is nothing to show.
  'ai.resumeChat': recorded['ai.streamRunEvents'],
}

/** Returns an exchange with an endpoint, most often a recorded one. */
export const exampleOf = (id: string): RecordedExample | undefined => examples[id]

/** Adds a recorded body to the media type that it has, in the `content` of a request or response. */
export function withExample(content: Json, exchanged: RecordedBody | undefined): Json {
  const { contentType = null, body } = exchanged ?? {}
  const media = contentType === null ? undefined : content[contentType]
  if (contentType === null || body === undefined || !isJson(media)) return content
  return { ...content, [contentType]: { ...media, example: body } }
}
