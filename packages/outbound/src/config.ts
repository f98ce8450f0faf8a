import { z } from 'zod'
import { parseCidrs } from './address/address-rules.ts'
import { parsePorts } from './address/destination.ts'
import { createOutbound } from './outbound.ts'

/** Environment variables of a service that makes outbound calls. Refine the schema with `rejectPrivateRanges`. */
export const outboundConfig = {
  OUTBOUND_ALLOW_CIDRS: parsedBy(parseCidrs).optional(),
  OUTBOUND_DENY_CIDRS: parsedBy(parseCidrs).optional(),
  OUTBOUND_PORTS: parsedBy(parsePorts).optional(),
  OUTBOUND_CA_FILE: z.string().optional(),
}

interface Settings {
  ENVIRONMENT: string
  OUTBOUND_ALLOW_CIDRS?: ReturnType<typeof parseCidrs> | undefined
}

/** Rejects private ranges in production; for `superRefine`. */
export function rejectPrivateRanges(
  { ENVIRONMENT, OUTBOUND_ALLOW_CIDRS: allowCidrs = [] }: Settings,
  context: z.RefinementCtx,
): void {
  try {
    createOutbound({ allowCidrs, production: ENVIRONMENT === 'production' }).close()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    context.addIssue({ code: 'custom', path: ['OUTBOUND_ALLOW_CIDRS'], message })
  }
}

/** Creates a schema that reports parse errors with the name of the variable. */
function parsedBy<T>(parse: (text: string) => T) {
  return z.string().transform((value, context): T => {
    try {
      return parse(value)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
      return z.NEVER
    }
  })
}
