import { bearerMethod, samlIssuer } from '../saml-provider.ts'
import { instant, type Row, stated } from './attack.ts'

/** Assertions with a valid signature that are for another service, request or time. */
export const statements: readonly Row[] = [
  ['another issuer', 'wrong_issuer', stated(`>${samlIssuer}<`, '>https://evil.test<')],
  ['an issuer with a slash more', 'wrong_issuer', stated(`>${samlIssuer}<`, `>${samlIssuer}/<`)],
  ['another version of the assertion', 'malformed_assertion', stated('Version="2.0"', 'Version="1.1"')],
  ['no subject', 'no_name', stated(/<saml:Subject>.*<\/saml:Subject>/, '')],
  ['no name', 'no_name', stated(/<saml:NameID>.*<\/saml:NameID>/, '')],
  ['an empty name', 'no_name', stated(/<saml:NameID>.*<\/saml:NameID>/, '<saml:NameID> </saml:NameID>')],
  ['an element in the name', 'no_name', stated('>ada@acme.test<', '>ada@acme.test<saml:x/>.evil.test<')],
  ['two names', 'no_name', stated('<saml:NameID>', '<saml:NameID>x</saml:NameID><saml:NameID>')],
  ['a name that is too long', 'no_name', stated('>ada@', `>${'a'.repeat(300)}@`)],
  [
    'a transient name',
    'transient_name',
    stated('<saml:NameID>', '<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient">'),
  ],
  ['no confirmation', 'no_bearer_confirmation', stated(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, '')],
  [
    'a confirmation by a key',
    'no_bearer_confirmation',
    stated(bearerMethod, 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key'),
  ],
  ['another recipient', 'wrong_recipient', stated(/Recipient="[^"]*"/, 'Recipient="https://evil.test/acs"')],
  ['no recipient', 'wrong_recipient', stated(/ Recipient="[^"]*"/, '')],
  ['a confirmation of another request', 'wrong_request', stated(/InResponseTo="[^"]*"/, 'InResponseTo="_another"')],
  ['a confirmation of no request', 'wrong_request', stated(/ InResponseTo="[^"]*"/, '')],
  ['a confirmation without an expiry', 'no_expiry', stated(/ NotOnOrAfter="[^"]*" Recipient/, ' Recipient')],
  [
    'a confirmation that has expired',
    'expired',
    stated(/NotOnOrAfter="[^"]*" Recipient/, `NotOnOrAfter="${instant(-120)}" Recipient`),
  ],
  [
    'a confirmation that is not valid yet',
    'not_yet_valid',
    stated(' Recipient', ` NotBefore="${instant(600)}" Recipient`),
  ],
  [
    'a confirmation for a year',
    'valid_too_long',
    stated(/NotOnOrAfter="[^"]*" Recipient/, `NotOnOrAfter="${instant(31_536_000)}" Recipient`),
  ],
  [
    'a time of a zone',
    'malformed_time',
    stated(/NotOnOrAfter="[^"]*" Recipient/, 'NotOnOrAfter="2099-01-01T00:00:00+02:00" Recipient'),
  ],
  ['an issue in the future', 'issued_in_future', stated(/IssueInstant="[^"]*"/, `IssueInstant="${instant(600)}"`)],
  ['no time of issue', 'malformed_time', stated(/ IssueInstant="[^"]*"/, '')],
  ['no conditions', 'no_conditions', stated(/<saml:Conditions.*<\/saml:Conditions>/, '')],
  ['two conditions', 'no_conditions', stated('<saml:AuthnStatement', '<saml:Conditions/><saml:AuthnStatement')],
  [
    'a condition that is not known',
    'unknown_condition',
    stated('<saml:AudienceRestriction>', '<saml:Condition xmlns:x="urn:x"/><saml:AudienceRestriction>'),
  ],
  [
    'conditions that have expired',
    'expired',
    stated(/NotOnOrAfter="[^"]*"><saml:Aud/, `NotOnOrAfter="${instant(-120)}"><saml:Aud`),
  ],
  ['conditions that do not hold yet', 'not_yet_valid', stated(/NotBefore="[^"]*"/, `NotBefore="${instant(600)}"`)],
  ['no audience', 'no_audience', stated(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '')],
  ['an empty audience', 'wrong_audience', stated(/<saml:Audience>.*<\/saml:Audience>/, '<saml:Audience/>')],
  [
    'another audience',
    'wrong_audience',
    stated(/<saml:Audience>.*<\/saml:Audience>/, '<saml:Audience>https://evil.test</saml:Audience>'),
  ],
  [
    'a second restriction to another audience',
    'wrong_audience',
    stated(
      '</saml:Conditions>',
      '<saml:AudienceRestriction><saml:Audience>https://evil.test</saml:Audience></saml:AudienceRestriction></saml:Conditions>',
    ),
  ],
  ['no authentication', 'no_authentication', stated(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, '')],
  [
    'a session that has ended',
    'session_expired',
    stated('<saml:AuthnStatement ', `<saml:AuthnStatement SessionNotOnOrAfter="${instant(-120)}" `),
  ],
  ['an attribute without a name', 'malformed_assertion', stated(' Name="groups"', '')],
]
