import type { AuditRecord } from '@wp/contracts'
import type { z } from 'zod'

type Actor = z.infer<typeof AuditRecord>['actor']

/** Returns what to call an actor: the name in the record, that of a member, or the id. */
export const nameOfActor = ({ name, id }: Actor, nameOf: (id: string) => string): string => name ?? nameOf(id)
