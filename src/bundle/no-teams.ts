/**
 * Replaces better-auth's endpoints for teams, and for roles that an organization defines, in the deployed bundle. Its plugin
 * always makes them, but offers them only where these features are on, which they are not here.
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
