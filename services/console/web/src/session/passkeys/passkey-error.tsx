import { Callout, ErrorMessage } from '../../ui/message/message.tsx'
import { describePasskeyError } from './describe-passkey-error.ts'

/** An error of a passkey, or of anything else, in words. */
export function PasskeyError({ error }: { error: unknown }) {
  const text = describePasskeyError(error)
  return text === undefined ? <ErrorMessage error={error} /> : <Callout tone="warning">{text}</Callout>
}
