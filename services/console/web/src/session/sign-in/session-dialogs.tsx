import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createApiClient } from '../../api/api-client.ts'
import { type PendingStepUp, sessionEnded } from '../../api/session-state.ts'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { PasskeyButton } from '../passkeys/passkey-button.tsx'
import { askForPasskey } from '../passkeys/use-passkey.ts'
import { type SessionUser, sessionQuery } from '../session.ts'
import { type MailedCode, startReauthentication, verifyReauthentication } from '../session-requests.ts'
import { CodeForm } from './code-form.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** Shown when the session has ended while a page is open: signing in again keeps the page and what was typed. */
export function SessionEndedDialog({ isOpen, user }: { isOpen: boolean; user: SessionUser | undefined }) {
  const queryClient = useQueryClient()
  const { data: session } = useQuery(sessionQuery)
  return (
    <Dialog
      isOpen={isOpen}
      isPersistent
      onClose={() => {}}
      title="Your session has ended"
      description="Sign in again to go on. This page stays as it is."
    >
      {isOpen && (
        <SignInForm
          {...(user && { email: user.email })}
          providers={session?.providers ?? []}
          onSignedIn={(signedIn) => {
            queryClient.setQueryData(sessionQuery.queryKey, signedIn)
            const isSameUser = signedIn.authenticated && signedIn.user.user_id === user?.user_id
            if (!isSameUser) return location.assign('/console/')
            sessionEnded.set(false)
            void queryClient.invalidateQueries()
          }}
        />
      )}
    </Dialog>
  )
}

/** Asks for a code or a passkey before an action that needs a recent sign-in. The action goes on afterwards. */
export function StepUpDialog({ pending }: { pending: PendingStepUp | undefined }) {
  return (
    <Dialog
      isOpen={pending !== undefined}
      onClose={() => pending?.finish(false)}
      title="Confirm that it is you"
      description="Creating a key, revealing or rotating a secret, changing roles, deleting a workspace and changing how you sign in need a sign-in within the last 10 minutes."
    >
      {pending && <StepUpForm onConfirmed={() => pending.finish(true)} />}
    </Dialog>
  )
}

function StepUpForm({ onConfirmed }: { onConfirmed: () => void }) {
  const queryClient = useQueryClient()
  const { data: session } = useQuery(sessionQuery)
  const [mailed, setMailed] = useState<MailedCode>()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const email = session?.authenticated ? session.user.email : 'your address'
  if (mailed)
    return (
      <CodeForm
        hint={`We sent a code to ${email}.`}
        submitLabel="Confirm"
        onVerify={async (code) => {
          const renewed = await verifyReauthentication({ login_id: mailed.login_id, code })
          queryClient.setQueryData(sessionQuery.queryKey, renewed)
          onConfirmed()
        }}
        onResend={async () => setMailed(await startReauthentication())}
      />
    )
  const confirmWithPasskey = async () => {
    const { options } = await createApiClient(undefined).auth.startPasskeyReauthentication()
    const renewed = await verifyReauthentication({ passkey: await askForPasskey(options) })
    queryClient.setQueryData(sessionQuery.queryKey, renewed)
    onConfirmed()
  }
  const send = async () => {
    setBusy(true)
    setError(undefined)
    await startReauthentication().then(setMailed, setError)
    setBusy(false)
  }
  return (
    <div style={{ display: 'grid', gap: 'var(--space-4)' }}>
      <p>We will mail a 6-digit code to {email}.</p>
      {error !== undefined && <ErrorMessage error={error} />}
      <Button variant="primary" isBusy={isBusy} onClick={send}>
        Send a code
      </Button>
      <PasskeyButton label="Use a passkey" onUse={confirmWithPasskey} />
    </div>
  )
}
