import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { Callout, ErrorMessage } from '../../ui/message/message.tsx'
import { sessionQuery } from '../session.ts'
import { announceSignIn, verifyLogin } from '../session-requests.ts'
import styles from './sign-in.module.css'
import { SignInScreen } from './sign-in-screen.tsx'

/** Ends a sign-in by link or provider, which comes back to this page with a one-time code. */
export function SignInCallbackPage({ loginCode }: { loginCode: string | undefined }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [error, setError] = useState<unknown>()
  const isStarted = useRef(false)
  useEffect(() => {
    if (loginCode === undefined || isStarted.current) return
    isStarted.current = true
    verifyLogin({ login_code: loginCode }).then(
      (session) => {
        queryClient.setQueryData(sessionQuery.queryKey, session)
        announceSignIn()
        return navigate({ to: '/', replace: true })
      },
      (failure: unknown) => setError(failure),
    )
  }, [loginCode, navigate, queryClient])
  if (loginCode !== undefined && error === undefined)
    return (
      <SignInScreen title="Signing in">
        <p className={styles.quiet} role="status">
          One moment…
        </p>
      </SignInScreen>
    )
  return (
    <SignInScreen title="Sign-in failed">
      <div className={styles.form}>
        {error !== undefined && <ErrorMessage error={error} />}
        <Callout tone="info">
          A link works once, within 10 minutes, and only in the browser where you asked for it. You can also enter the
          code of the mail.
        </Callout>
        <ButtonLink to="/sign-in" variant="primary">
          Sign in again
        </ButtonLink>
      </div>
    </SignInScreen>
  )
}
