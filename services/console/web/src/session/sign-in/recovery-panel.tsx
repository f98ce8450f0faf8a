import { useState } from 'react'
import { Button } from '../../ui/button/button.tsx'
import { formatDateTime } from '../../ui/format/format-time.ts'
import { Callout } from '../../ui/message/message.tsx'
import { PasskeyError } from '../passkeys/passkey-button.tsx'
import { startRecovery } from '../session-requests.ts'
import styles from './sign-in.module.css'

/** Shown after the code of a person who signs in with passkeys only. @param proof the code, which is still valid */
export function RecoveryPanel({ proof }: { proof: { login_id: string; code: string } }) {
  const [availableAt, setAvailableAt] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const recover = async () => {
    setBusy(true)
    setError(undefined)
    await startRecovery(proof).then(({ available_at }) => setAvailableAt(available_at), setError)
    setBusy(false)
  }
  if (availableAt !== undefined)
    return (
      <Callout tone="success" title="Your recovery has begun">
        <p>
          You can sign in with a code by mail from {formatDateTime(new Date(availableAt), {})}. We have told you and the
          owners of your workspaces by mail.
        </p>
      </Callout>
    )
  return (
    <div className={styles.form}>
      <Callout tone="info" title="You sign in with a passkey only">
        <p>The code is right, but you chose that codes do not sign you in. Use your passkey.</p>
      </Callout>
      {error !== undefined && <PasskeyError error={error} />}
      <Button variant="quiet" isBusy={isBusy} onClick={recover}>
        I have lost my passkeys
      </Button>
      <p className={styles.quiet}>
        Recovery takes a day. You and the owners of your workspaces are told by mail, and you can cancel it there.
      </p>
    </div>
  )
}
