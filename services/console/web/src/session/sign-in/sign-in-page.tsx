import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionQuery } from '../session.ts'
import { SignInForm } from './sign-in-form.tsx'
import { SignInScreen } from './sign-in-screen.tsx'

/** The sign-in page. @param props.returnTo path within the console to open afterwards */
export function SignInPage({ returnTo, company }: { returnTo: string | undefined; company: string | undefined }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: session } = useQuery(sessionQuery)
  return (
    <SignInScreen title="Sign in">
      <SignInForm
        providers={session?.providers ?? []}
        company={company}
        onSignedIn={(signedIn) => {
          queryClient.setQueryData(sessionQuery.queryKey, signedIn)
          void navigate({ to: returnTo ?? '/', replace: true })
        }}
      />
    </SignInScreen>
  )
}
