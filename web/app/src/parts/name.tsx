import { at } from "../client";
import type { Names, Profiles } from "../wire";

/** The name of a player, which links to the profile of those who have an account. */
export const Name = ({ name, profile }: { name: string; profile?: string | null | undefined }) =>
  profile ? <a href={at(`/people/${encodeURIComponent(profile)}`)}>{name}</a> : <>{name}</>;

/** The players of a match in a list. */
export const Players = ({ players, profiles }: { players: Names; profiles?: Profiles | undefined }) => (
  <>
    <Name name={players.white} profile={profiles?.white} /> – <Name name={players.black} profile={profiles?.black} />
  </>
);
