import { isIP } from 'node:net'
import { z } from 'zod'

/**
 * The part of the Open Cybersecurity Schema Framework 1.3.0 that exports use: the class API Activity (6003) with its
 * objects (https://schema.ocsf.io/1.3.0/classes/api_activity). Attributes are required or optional as there; an
 * attribute that is not listed is refused, so that a new one is looked up in the definition first.
 */

const text = z.string().max(65_535)
/** The type `ip_t`. */
const ip = z
  .string()
  .max(40)
  .refine((value) => isIP(value) > 0, 'is no address')
/** The type `timestamp_t`: milliseconds since 1970. */
const timestamp = z.int().min(0)

const hasOneOf = (names: readonly string[]) => (value: object) => names.some((name) => name in value)

const product = z
  .strictObject({ vendor_name: text, name: text.optional(), uid: text.optional(), version: text.optional() })
  .refine(hasOneOf(['name', 'uid']))

const metadata = z.strictObject({
  version: z.literal('1.3.0'),
  product,
  uid: text.optional(),
  sequence: z.int().optional(),
  event_code: text.optional(),
  correlation_uid: text.optional(),
  original_time: text.optional(),
  tenant_uid: text.optional(),
})

const user = z
  .strictObject({
    uid: text.optional(),
    name: text.optional(),
    type: text.optional(),
    /** Unknown, User, Admin, System, Other. */
    type_id: z.literal([0, 1, 2, 3, 99]).optional(),
  })
  .refine(hasOneOf(['account', 'name', 'uid']))

const actor = z
  .strictObject({ user: user.optional(), app_uid: text.optional(), session: z.strictObject({ uid: text }).optional() })
  .refine(hasOneOf(['process', 'user', 'invoked_by', 'session', 'app_name', 'app_uid']))

const api = z.strictObject({ operation: text, request: z.strictObject({ uid: text }).optional() })

const networkEndpoint = z
  .strictObject({ ip: ip.optional(), name: text.optional() })
  .refine(hasOneOf(['ip', 'uid', 'name', 'hostname', 'svc_name', 'instance_uid', 'interface_uid', 'interface_name']))

const resource = z.strictObject({ uid: text.optional(), type: text.optional() }).refine(hasOneOf(['name', 'uid']))

/** Names of the activities. Those of `Other` are the words of the source. */
const activityNames = new Map([
  [0, 'Unknown'],
  [1, 'Create'],
  [2, 'Read'],
  [3, 'Update'],
  [4, 'Delete'],
])
const statusNames = new Map([
  [0, 'Unknown'],
  [1, 'Success'],
  [2, 'Failure'],
])

/** An event of the class API Activity. */
export const ApiActivity = z
  .strictObject({
    activity_id: z.literal([0, 1, 2, 3, 4, 99]),
    activity_name: text.min(1),
    actor,
    api,
    category_uid: z.literal(6),
    category_name: z.literal('Application Activity').optional(),
    class_uid: z.literal(6003),
    class_name: z.literal('API Activity').optional(),
    http_request: z.strictObject({ user_agent: text.optional() }).optional(),
    metadata,
    resources: z.array(resource).optional(),
    severity_id: z.literal([0, 1, 2, 3, 4, 5, 6, 99]),
    severity: text.optional(),
    src_endpoint: networkEndpoint,
    status_id: z.literal([0, 1, 2, 99]).optional(),
    status: text.optional(),
    status_detail: text.optional(),
    time: timestamp,
    type_uid: z.int(),
    type_name: text.optional(),
    unmapped: z.looseObject({}).optional(),
  })
  .refine(({ type_uid, class_uid, activity_id }) => type_uid === class_uid * 100 + activity_id, { path: ['type_uid'] })
  .refine(({ type_name, activity_name }) => type_name === `API Activity: ${activity_name}`, { path: ['type_name'] })
  .refine(({ activity_id, activity_name }) => (activityNames.get(activity_id) ?? activity_name) === activity_name, {
    path: ['activity_name'],
  })
  .refine(({ status_id, status }) => status_id === undefined || statusNames.get(status_id) === status, {
    path: ['status'],
  })
