import { z } from 'zod'
import { parseCidrs } from './address/address-rules.ts'
import { parsePorts } from './address/destination.ts'
import { createOutbound, type OutboundOptions } from './outbound.ts'

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

interface OutboundSettings extends Settings {
  OUTBOUND_DENY_CIDRS?: ReturnType<typeof parseCidrs> | undefined
  OUTBOUND_PORTS?: ReturnType<typeof parsePorts> | undefined
  OUTBOUND_CA_FILE?: string | undefined
}

/** Logs for the operator. */
interface Log {
  info(fields: object, message: string): void
}

/** Returns the options of a client with the settings of the service, which logs the hosts that it does not call. */
export const outboundOptions = (settings: OutboundSettings, log: Log): OutboundOptions => ({
  allowCidrs: settings.OUTBOUND_ALLOW_CIDRS ?? [],
  denyCidrs: settings.OUTBOUND_DENY_CIDRS ?? [],
  caFile: settings.OUTBOUND_CA_FILE,
  production: settings.ENVIRONMENT === 'production',
  ...(settings.OUTBOUND_PORTS === undefined ? {} : { ports: settings.OUTBOUND_PORTS }),
  onBlocked: (blocked) => log.info({ event: 'outbound.host_blocked', ...blocked }, 'host not called'),
})

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
