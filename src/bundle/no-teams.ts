/**
 * What stands in the deployed bundle for better-auth's teams and roles of an organization's own. Its plugin makes their
 * endpoints always, and offers them where they are turned on, which nothing here does.
 */
const unused = (): null => null;

export {
  unused as addTeamMember,
  unused as createOrgRole,
  unused as createTeam,
  unused as deleteOrgRole,
  unused as getOrgRole,
  unused as listOrganizationTeams,
  unused as listOrgRoles,
  unused as listTeamMembers,
  unused as listUserTeams,
  unused as removeTeam,
  unused as removeTeamMember,
  unused as setActiveTeam,
  unused as updateOrgRole,
  unused as updateTeam,
};
