// The page of a browser without a session. It loads neither the router nor the pages of the console: these follow while
// the person waits for the mail.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '@fontsource-variable/inter/wght.css'
import './theme/tokens.css'
import './theme/base.css'
import './theme/classes.css'
import './session/sign-in/sign-in-frame.css'
import { findRoot } from './routing/find-root.ts'
import { handleMissingCode } from './routing/missing-code.ts'
import { readCompany, readReturnPath, showSignInPath } from './routing/return-path.ts'
import type { Session } from './session/session.ts'
import { SignInForm } from './session/sign-in/sign-in-form.tsx'
import { SignInScreen } from './session/sign-in/sign-in-screen.tsx'
import { startTheme } from './theme/theme.ts'

startTheme()
handleMissingCode()
showSignInPath()

const loadApp = () => import('./app.tsx')
const root = createRoot(findRoot())

/** Opens the page that the person wanted, without loading the document again. */
async function openConsole(session: Session): Promise<void> {
  const path = `/console${readReturnPath() ?? '/'}`
  try {
    const { startApp } = await loadApp()
    history.replaceState(null, '', path)
    root.unmount()
    startApp(session)
  } catch {
    location.replace(path)
  }
}

root.render(
  <StrictMode>
    <SignInScreen title="Sign in">
      <SignInForm
        providers={readProviders()}
        company={readCompany()}
        onMailed={() => void loadApp().catch(() => undefined)}
        onSignedIn={openConsole}
      />
    </SignInScreen>
  </StrictMode>,
)

/** Returns the providers that the backend of the console has named in the page. */
function readProviders(): string[] {
  const names = document.querySelector('meta[name="sign-in-providers"]')?.getAttribute('content') ?? ''
  return names.split(' ').filter((name) => name !== '')
}
