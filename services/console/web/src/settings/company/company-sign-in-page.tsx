import { Skeleton } from '../../ui/message/message.tsx'
import { Page } from '../../ui/page/page.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { DirectoryCard } from './directory-card.tsx'
import { DomainsCard } from './domains-card.tsx'
import { useConnection, useDirectoryTokens, useDomains, useSignInPolicy } from './queries.ts'
import { RolesCard } from './roles-card.tsx'

/** Lets members of the company join and sign in: its domains, its sign-in and its directory. */
export function CompanySignInPage() {
  const queries = [useDomains(), useConnection(), useSignInPolicy(), useDirectoryTokens()]
  return (
    <Page
      title="Company sign-in"
      description="Members sign in with the account of their company, and your directory adds and removes them."
      isNarrow
    >
      {/* The cards differ in height by what is set, and would move each other. */}
      {queries.some(({ isLoading }) => isLoading) ? (
        <Skeleton height="60rem" />
      ) : (
        <>
          <DomainsCard />
          <ConnectionCard />
          <RolesCard />
          <DirectoryCard />
        </>
      )}
    </Page>
  )
}
