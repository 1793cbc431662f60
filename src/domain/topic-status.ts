/** What has become of a topic idea. */
export const TOPIC_STATUSES = ["new", "used", "dismissed"] as const;

export type TopicStatus = (typeof TOPIC_STATUSES)[number];
