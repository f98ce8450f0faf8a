import { z } from 'zod'
import { boundedArray } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { text, timestamp } from '../core/shape/shape.ts'
import { webAddress } from '../core/shape/web-address.ts'
import { EventFilter } from './event-filter.ts'
import { eventKindList } from './shapes.ts'

const [minLinkMinutes, maxLinkMinutes, defaultLinkMinutes] = [5, 1_440, 60]

const maxFrameOrigins = 10

/** An https origin, or an http one on loopback, as a browser writes it: nothing else may enter a header. */
const originPattern =
  /^(?:https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::[0-9]{1,5})?$/

const frameOrigin = z
  .string()
  .max(255)
  .regex(originPattern, 'must be an origin such as https://app.example.com, without a path')

const returnUrl = webAddress(2_048).refine(
  (url) => /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])/.test(url),
  'must be an https address',
)

const themeModes = ['light', 'dark', 'system'] as const

const accent = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #2f55d4')
  .nullable()

/** The look of the portal. */
export const PortalTheme = z
  .object({
    accent: accent.describe('Colour of buttons and links; it is made darker or lighter where it could not be read'),
    mode: z.enum(themeModes).describe('`system` follows the device'),
    name: z.string().nullable().describe('Name of your product, shown at the top of the page'),
  })
  .meta({ id: 'PortalTheme' })
export type PortalTheme = z.output<typeof PortalTheme>

const NewPortalTheme = z
  .strictObject({
    accent: accent.default(null).describe('Colour of buttons and links, such as #2f55d4'),
    mode: z.enum(themeModes).default('system').describe('`system` follows the device'),
    name: text(60).nullable().default(null).describe('Name of your product, for the top of the page'),
  })
  .meta({ id: 'NewPortalTheme' })

const returnUrlMeta = { description: 'Address to which the page links back; null: none' }

export const NewPortalLink = z
  .strictObject({
    customer_id: text(200).describe('Your own identifier of the customer'),
    customer_name: text(200).nullable().default(null).describe('Name of the customer, shown on the page'),
    events: eventKindList.describe(
      'Event kinds that the customer may select. `*` stands for all but WEBHOOK_FAILING, WEBHOOK_DISABLED and those of ' +
        'event destinations, which are about the whole workspace and cannot be offered',
    ),
    filter: EventFilter.nullable()
      .default(null)
      .describe(
        'Conditions on every event that the customer gets, which the customer neither sees nor changes; null: none',
      ),
    can_write: z
      .boolean()
      .default(true)
      .describe('False: the customer sees webhooks and deliveries, and changes nothing'),
    expires_in_minutes: z
      .number()
      .int()
      .min(minLinkMinutes)
      .max(maxLinkMinutes)
      .default(defaultLinkMinutes)
      .describe('Minutes for which the link can be used'),
    frame_origins: boundedArray(frameOrigin, maxFrameOrigins)
      .default([])
      .describe('Origins of the pages that may show the portal in a frame; none: no page may'),
    return_url: returnUrl.nullable().default(null).meta(returnUrlMeta),
    theme: NewPortalTheme.default({ accent: null, mode: 'system', name: null }).describe('The look of the page'),
  })
  .meta({ id: 'NewPortalLink' })

/** The settings of a link that its page needs before anyone has authenticated. */
const pageFields = {
  frame_origins: z.array(z.string()).describe('Origins of the pages that may show the portal in a frame'),
  return_url: z.string().nullable().meta(returnUrlMeta),
  theme: PortalTheme.describe('The look of the page'),
  expires_at: timestamp().describe('When the link stops working'),
}

export const PortalLink = z
  .object({
    portal_link_id: id('plink'),
    customer_id: z.string().describe('Your own identifier of the customer'),
    customer_name: z.string().nullable().describe('Name of the customer; null if none was given'),
    events: z.array(z.string()).describe('Event kinds that the customer may select'),
    filter: EventFilter.nullable().describe(
      'Conditions on every event that the customer gets; null: none, or not shown to the customer',
    ),
    can_write: z.boolean().describe('True if the customer may change webhooks'),
    ...pageFields,
    created_by: z.string().nullable().describe('The principal that created it; null for the customer'),
    created_at: timestamp(),
  })
  .meta({ id: 'PortalLink' })

export const CreatedPortalLink = PortalLink.extend({
  url: z.string().describe('Address of the portal, shown in this response only: it signs in everyone who opens it'),
}).meta({ id: 'CreatedPortalLink' })

/** The part of a link that its page shows before the secret is checked, also when the link has ended. */
export const PortalPage = z.object({ ...pageFields, is_revoked: z.boolean() })
export type PortalPage = z.output<typeof PortalPage>

export const portalLinkPath = z.object({ portal_link_id: id('plink') })
