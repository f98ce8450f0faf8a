import { Page } from '../../ui/page/page.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { DirectoryCard } from './directory-card.tsx'
import { DomainsCard } from './domains-card.tsx'

/** Lets members of the company join and sign in: its domains, its sign-in and its directory. */
export const CompanySignInPage = () => (
  <Page
    title="Company sign-in"
    description="Members sign in with the account of their company, and your directory adds and removes them."
    isNarrow
  >
    <DomainsCard />
    <ConnectionCard />
    <DirectoryCard />
  </Page>
)
