import { solutions } from '@wp/contracts'
import { z } from 'zod'
import { numberText, textOfNumber } from '../../../ui/form/number-text.ts'
import { minorUnitsOf } from '../../../ui/format/format.ts'
import type { Space } from '../space-words.ts'

const contract = solutions.createSpace.body.shape

const emptyAsNull = <Value>(schema: z.ZodType<Value>) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? null : value), schema) as z.ZodType<
    Value,
    string | null
  > // the input of a control is a text, or null

/** A currency whose units have cents, for costs of none. */
const anyCurrency = 'EUR'

/**
 * Returns the fields of the form of a space. Their output is the body of a new space.
 * @param inherited the currency of costs that state none; it is sent, since another parent may have another one
 */
export const spaceSchemaOf = (inherited?: string) =>
  z.object({
    name: contract.name,
    kind: contract.kind,
    parent_id: emptyAsNull(z.string().nullable()),
    external_id: emptyAsNull(z.string().max(200).nullable()),
    capacity: numberText(z.number().int().min(0).max(1_000_000).nullable()),
    area_m2: numberText(z.number().min(0).max(1e9).nullable()),
    annual_cost: z
      .object({
        amount: numberText(z.number().min(0).max(1e13).nullable()),
        currency: emptyAsNull(
          z
            .string()
            .regex(/^[A-Z]{3}$/, 'must be a currency such as EUR')
            .nullable(),
        ),
      })
      .transform(({ amount, currency: stated }) => {
        const currency = stated ?? inherited
        if (amount === null) return null
        return {
          amount: Math.round(amount * minorUnitsOf(currency ?? anyCurrency)),
          ...(currency !== undefined && { currency }),
        }
      }),
    avoidable_share: numberText(z.number().min(0).max(100).nullable()).transform((percent) =>
      percent === null ? null : percent / 100,
    ),
    timezone: emptyAsNull(z.string().nullable()),
    country: emptyAsNull(
      z
        .string()
        .regex(/^[A-Z]{2}$/, 'must be two letters, such as DE')
        .nullable(),
    ),
    opening_hours: z.custom<Space['opening_hours']>(),
  })

export type SpaceValues = z.output<ReturnType<typeof spaceSchemaOf>>

const currencyOf = ({ annual_cost: cost, effective }: Space) => cost?.currency ?? effective.currency ?? anyCurrency

/** Returns what the form shows of a space, or of a new one in another. */
export const spaceDefaults = (space: Space | undefined, parent: Space | undefined) => ({
  name: space?.name ?? '',
  kind: space?.kind ?? kindWithin(parent),
  parent_id: space?.parent_id ?? parent?.id ?? null,
  external_id: space?.external_id ?? '',
  capacity: textOfNumber(space?.capacity),
  area_m2: textOfNumber(space?.area_m2),
  annual_cost: {
    amount: space?.annual_cost ? textOfNumber(space.annual_cost.amount / minorUnitsOf(currencyOf(space))) : '',
    currency: space?.annual_cost?.currency ?? '',
  },
  avoidable_share: space?.avoidable_share == null ? '' : textOfNumber(100 * space.avoidable_share),
  timezone: space?.timezone ?? '',
  country: space?.country ?? '',
  opening_hours: space?.opening_hours ?? null,
})

/** Returns the kind that usually lies in a space. */
function kindWithin(parent: Space | undefined): Space['kind'] {
  const inside = { site: 'building', building: 'floor', floor: 'zone', zone: 'room', room: 'room' } as const
  return parent === undefined ? 'building' : inside[parent.kind]
}

/** Returns the members of a body that differ from what is stored: all days are counted again after some of them. */
export function changesOf<Body extends object>(stored: Readonly<Record<string, unknown>>, body: Body): Partial<Body> {
  const changed = Object.entries(body).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name]))
  return Object.fromEntries(changed) as Partial<Body> // members of the body
}
