import type { IdPrefix } from '@wp/contracts'
import { typeid } from 'typeid-js'

/** Returns a new TypeID (https://github.com/jetify-com/typeid) over UUIDv7: newer identifiers sort later. */
export const newId = <Prefix extends IdPrefix>(prefix: Prefix): `${Prefix}_${string}` =>
  `${prefix}_${typeid().toString()}`
