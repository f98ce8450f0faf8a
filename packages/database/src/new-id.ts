import type { IdPrefix } from '@wp/contracts'
import { typeid } from 'typeid-js'

/** A new identifier: a TypeID (https://github.com/jetify-com/typeid) over UUIDv7, so newer ones sort later. */
export const newId = <Prefix extends IdPrefix>(prefix: Prefix): `${Prefix}_${string}` =>
  `${prefix}_${typeid().toString()}`
