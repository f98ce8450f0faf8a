import { Page } from '../../ui/page/page.tsx'

/** Says what the columns of a file mean. */
export const NewDatasetPage = () => <Page title="Count a file">{null}</Page>
