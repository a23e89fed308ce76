// Made from the database by `npm run schema -- --write`.
export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

export type Database = {
  public: {
    Tables: {
      access_requests: {
        Row: {
          answer: string | null
          asked_at: string
          campaign_id: string | null
          closed_at: string | null
          granted: boolean
          id: string
          key: string
          page: string | null
          reason: string | null
          team_id: string
          unknown_campaign_id: string | null
          user_id: string
        }
        Insert: never
        Update: never
        Relationships: [
          {
            foreignKeyName: "access_requests_campaign_id_fkey"
            columns: ["campaign_id"]
            referencedRelation: "campaigns"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "access_requests_key_fkey"
            columns: ["key"]
            referencedRelation: "permission_keys"
            referencedColumns: ["key"]
          },
          {
            foreignKeyName: "access_requests_user_id_team_id_fkey"
            columns: ["user_id", "team_id"]
            referencedRelation: "team_users"
            referencedColumns: ["user_id", "team_id"]
          },
        ]
      }
      audit_log: {
        Row: {
          action: string
          actor_id: string | null
          actor_name: string | null
          after: Json | null
          at: string
          before: Json | null
          campaign_id: string | null
          database_role: string
          id: number
          subject_id: string | null
          subject_name: string | null
          table_name: string
          team_id: string | null
        }
        Insert: never
        Update: never
        Relationships: []
      }
      campaign_team: {
        Row: {
          campaign_id: string
          team_id: string
        }
        Insert: never
        Update: never
        Relationships: [
          {
            foreignKeyName: "campaign_team_campaign_id_fkey"
            columns: ["campaign_id"]
            referencedRelation: "campaigns"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "campaign_team_team_id_fkey"
            columns: ["team_id"]
            referencedRelation: "teams"
            referencedColumns: ["id"]
          },
        ]
      }
      campaign_user_roles_team: {
        Row: {
          campaign_id: string
          ends_at: string | null
          role_id: string
          team_id: string
          user_id: string
        }
        Insert: never
        Update: never
        Relationships: [
          {
            foreignKeyName: "campaign_user_roles_team_campaign_id_fkey"
            columns: ["campaign_id"]
            referencedRelation: "campaigns"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "campaign_user_roles_team_role_id_fkey"
            columns: ["role_id"]
            referencedRelation: "roles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "campaign_user_roles_team_user_id_team_id_fkey"
            columns: ["user_id", "team_id"]
            referencedRelation: "team_users"
            referencedColumns: ["user_id", "team_id"]
          },
        ]
      }
      campaigns: {
        Row: {
          archived_at: string | null
          check_method: string | null
          county_targets: NonNullable<Json>
          created_at: string
          created_by: string | null
          districts: string | null
          ends_on: string | null
          erase_at: string | null
          erased_at: string | null
          fail_percent: number | null
          id: string
          lines_per_sheet: number
          name: string
          official_rejection: number | null
          pass_percent: number | null
          required_signatures: number | null
          safety_margin: number | null
          sample_minimum: number | null
          sample_percent: number | null
          search_profile: string | null
          signature_goal: number | null
          starts_on: string | null
          team_id: string
        }
        Insert: never
        Update: never
        Relationships: [
          {
            foreignKeyName: "campaigns_team_id_fkey"
            columns: ["team_id"]
            referencedRelation: "teams"
            referencedColumns: ["id"]
          },
        ]
      }
      charts: {
        Row: {
          campaign_id: string | null
          created_at: string
          created_by: string | null
          dashboard_id: string | null
          data: Json | null
          data_version: number | null
          deleted_at: string | null
          display: Json | null
          filters: NonNullable<Json>
          generated_at: string | null
          group_by: string
          id: string
          kind: string
          last_change: number | null
          last_line: number | null
          metrics: NonNullable<Json>
          name: string
          position: number
          source: string
          team_id: string
          text: string | null
          tried_at: string | null
          updated_at: string
          version: number
          width: number
        }
        Insert: never
        Update: never
        Relationships: [
          {
            foreignKeyName: "charts_campaign_id_fkey"
            columns: ["campaign_id"]
            referencedRelation: "campaigns"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "charts_team_id_fkey"
            columns: ["team_id"]
            referencedRelation: "teams"
            referencedColumns: ["id"]
          },
        ]
      }
      invitations: {
        Row: {
          accepted_at: string | null
          accepted_by: string | null
          campaigns: NonNullable<Json>
          created_at: string
          declined: boolean
          email: string
          expires_at: string
          id: string
          invited_by: string | null
          name: string | null
          revoked_at: string | null
          role_id: string
          team_id: string
        }
        Insert: never
        Update: never
        Relationships: [
          {
            foreignKeyName: "invitations_role_id_fkey"
            columns: ["role_id"]
            referencedRelation: "roles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "invitations_team_id_fkey"
            columns: ["team_id"]
            referencedRelation: "teams"
            referencedColumns: ["id"]
          },
        ]
      }
      lines: {
        Row: {
          address: string | null
          campaign_id: string
          change_number: number | null
          city: string | null
          county: string | null
          entered_at: string
          entered_by: string | null
          first_name: string | null
          id: string
          last_name: string | null
          line: number | null
          note: string | null
          removed_at: string | null
          removed_because: string | null
          removed_by: string | null
          replaces: string | null
          sheet: number | null
          signed_on: string | null
          stored_number: number
          team_id: string
          verdict: string
          voter_id: string | null
          zip: string | null
        }
        Insert: never
        Update: never
        Relationships: [
          {
            foreignKeyName: "lines_campaign_id_fkey"
            columns: ["campaign_id"]
            referencedRelation: "campaigns"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "lines_team_id_fkey"
            columns: ["team_id"]
            referencedRelation: "teams"
            referencedColumns: ["id"]
          },
        ]
      }
      permission_keys: {
        Row: {
          description: string | null
          key: string
        }
        Insert: never
        Update: never
        Relationships: []
      }
      profiles: {
        Row: {
          name: string
          user_id: string
        }
        Insert: {
          name: string
          user_id: string
        }
        Update: {
          name?: string
          user_id?: string
        }
        Relationships: []
      }
      roles: {
        Row: {
          id: string
          name: string
          scope: string
          team_id: string | null
        }
        Insert: never
        Update: never
        Relationships: [
          {
            foreignKeyName: "roles_team_id_fkey"
            columns: ["team_id"]
            referencedRelation: "teams"
            referencedColumns: ["id"]
          },
        ]
      }
      team_search_profiles: {
        Row: {
          profile: string
          team_id: string
        }
        Insert: {
          profile: string
          team_id: string
        }
        Update: {
          profile?: string
          team_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "team_search_profiles_team_id_fkey"
            columns: ["team_id"]
            referencedRelation: "teams"
            referencedColumns: ["id"]
          },
        ]
      }
      team_users: {
        Row: {
          ends_at: string | null
          id: string
          role_id: string
          status: string
          team_id: string
          user_id: string
        }
        Insert: never
        Update: never
        Relationships: [
          {
            foreignKeyName: "team_users_role_id_fkey"
            columns: ["role_id"]
            referencedRelation: "roles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "team_users_team_id_fkey"
            columns: ["team_id"]
            referencedRelation: "teams"
            referencedColumns: ["id"]
          },
        ]
      }
      teams: {
        Row: {
          created_at: string
          erase_after_days: number | null
          id: string
          lines_per_sheet: number
          locale: string
          name: string
          second_factor_from: string | null
          time_zone: string
        }
        Insert: never
        Update: never
        Relationships: []
      }
    }
    Views: {
      [_ in never]: never
    }
    Functions: {
      accept_invitation: {
        Args: { p_actor_id: string | null; p_token_hash: string | null }
        Returns: Json
      }
      aggregate_chart: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_filters: Json | null
          p_group_by: string | null
          p_metrics: Json | null
          p_source: string | null
          p_team_id: string | null
        }
        Returns: Json
      }
      already_signed: {
        Args: {
          p_campaign_id: string | null
          p_team_id: string | null
          p_voter_ids: string[] | null
        }
        Returns: Json
      }
      applied_migrations: {
        Args: Record<PropertyKey, never>
        Returns: string[]
      }
      ask_for_access: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_key: string | null
          p_page: string | null
          p_reason: string | null
          p_team_id: string | null
        }
        Returns: Json
      }
      campaign_progress: {
        Args: {
          p_campaign_id: string | null
          p_known: string | null
          p_team_id: string | null
          p_with_work: boolean | null
        }
        Returns: Json
      }
      change_access: {
        Args: { p_actor_id: string | null; p_change: Json | null; p_commit: boolean | null }
        Returns: Json
      }
      chart_empty_columns: {
        Args: { p_campaign_id: string | null; p_team_id: string | null }
        Returns: Json
      }
      chart_freshness: { Args: { p_ids: Json | null }; Returns: Json }
      chart_names: { Args: { p_actor_id: string | null }; Returns: Json }
      chart_records: {
        Args: {
          p_actor_id: string | null
          p_after: Json | null
          p_campaign_id: string | null
          p_cell: Json | null
          p_limit: number | null
          p_offset: number | null
          p_sort: Json | null
          p_team_id: string | null
        }
        Returns: Json
      }
      chart_sources: { Args: Record<PropertyKey, never>; Returns: Json }
      chart_values: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_column: string | null
          p_prefix: string | null
          p_source: string | null
          p_team_id: string | null
        }
        Returns: Json
      }
      choose_emails: {
        Args: { p_digest: boolean | null; p_requests: boolean | null; p_user_id: string | null }
        Returns: undefined
      }
      claim_email: { Args: { p_has_server: boolean | null }; Returns: Json }
      claim_invitation_mail: { Args: Record<PropertyKey, never>; Returns: Json }
      claimed_digest: { Args: { p_id: string | null }; Returns: Json }
      close_sheet: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_number: number | null
          p_team_id: string | null
        }
        Returns: Json
      }
      correct_line: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_id: string | null
          p_line: Json | null
          p_reason: string | null
          p_team_id: string | null
        }
        Returns: Json
      }
      create_invitations: {
        Args: {
          p_actor_id: string | null
          p_commit: boolean | null
          p_invitations: Json | null
          p_mail: boolean | null
          p_team_id: string | null
        }
        Returns: Json
      }
      create_team: {
        Args: {
          p_actor_id: string | null
          p_id: string | null
          p_locale: string | null
          p_name: string | null
          p_time_zone: string | null
        }
        Returns: Json
      }
      daily_summary: {
        Args: { p_campaign_id: string | null; p_team_id: string | null }
        Returns: Json
      }
      dashboard_version: {
        Args: {
          p_campaign_id: string | null
          p_dashboard_id: string | null
          p_filtered: boolean | null
          p_team_id: string | null
        }
        Returns: string
      }
      database_time: { Args: Record<PropertyKey, never>; Returns: number }
      decline_access_request: {
        Args: {
          p_actor_id: string | null
          p_answer: string | null
          p_id: string | null
          p_team_id: string | null
        }
        Returns: Json
      }
      decline_invitation: {
        Args: { p_actor_id: string | null; p_token_hash: string | null }
        Returns: Json
      }
      delete_applied_signer_changes: {
        Args: {
          p_campaign_id: string | null
          p_change_number: number | null
          p_voter_id: string | null
        }
        Returns: undefined
      }
      delete_chart: {
        Args: { p_actor_id: string | null; p_id: string | null }
        Returns: string
      }
      delete_dashboard: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_id: string | null
          p_team_id: string | null
        }
        Returns: string
      }
      delete_permission_changes: {
        Args: { p_ids: number[] | null }
        Returns: undefined
      }
      delete_sheet: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_number: number | null
          p_team_id: string | null
        }
        Returns: Json
      }
      delete_signer_changes: { Args: { p_ids: number[] | null }; Returns: undefined }
      delete_signer_rebuild_requests: {
        Args: { p_campaign_id: string | null; p_numbers: number[] | null }
        Returns: undefined
      }
      describe_invitation: { Args: { p_id: string | null }; Returns: Json }
      draw_quality_lines: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_clerk: string | null
          p_sheet: number | null
          p_size: number | null
          p_team_id: string | null
        }
        Returns: Json
      }
      duplicate_chart: {
        Args: { p_actor_id: string | null; p_id: string | null }
        Returns: Json
      }
      email_choices: { Args: { p_user_id: string | null }; Returns: Json }
      end_session: {
        Args: { p_actor_id: string | null; p_session_id: string | null }
        Returns: boolean
      }
      enter_quality_line: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_entry: Json | null
          p_id: string | null
          p_team_id: string | null
        }
        Returns: Json
      }
      entry_state: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_lines: number | null
          p_sheet: number | null
          p_team_id: string | null
        }
        Returns: Json
      }
      erase_personal_data: { Args: { p_limit: number | null }; Returns: string }
      failed_charts: {
        Args: { p_campaign_id: string | null; p_team_id: string | null }
        Returns: Json
      }
      finish_email: {
        Args: { p_id: string | null; p_state: string | null }
        Returns: undefined
      }
      finish_invitation_mail: {
        Args: { p_id: string | null; p_state: string | null }
        Returns: undefined
      }
      found_team: {
        Args: {
          p_email: string | null
          p_id: string | null
          p_locale: string | null
          p_name: string | null
          p_time_zone: string | null
        }
        Returns: Json
      }
      generate_chart: {
        Args: { p_actor_id: string | null; p_deadline: string | null; p_id: string | null }
        Returns: Json
      }
      goal_count: { Args: { p_campaign_id: string | null }; Returns: Json }
      line_history: {
        Args: { p_campaign_id: string | null; p_id: string | null; p_team_id: string | null }
        Returns: Json
      }
      lines_outside_dates: {
        Args: { p_campaign_id: string | null; p_limit: number | null; p_team_id: string | null }
        Returns: Json
      }
      link_invitation: {
        Args: {
          p_actor_id: string | null
          p_id: string | null
          p_team_id: string | null
          p_token_hash: string | null
        }
        Returns: Json
      }
      list_areas: { Args: { p_team_id: string | null }; Returns: Json }
      list_sessions: { Args: { p_actor_id: string | null }; Returns: Json }
      list_sheets: {
        Args: {
          p_after: number | null
          p_campaign_id: string | null
          p_filter: Json | null
          p_limit: number | null
          p_sort: string | null
          p_team_id: string | null
        }
        Returns: Json
      }
      member_facts: {
        Args: { p_team_id: string | null; p_user_id: string | null }
        Returns: Json
      }
      move_chart: {
        Args: { p_actor_id: string | null; p_dashboard_id: string | null; p_id: string | null }
        Returns: string
      }
      move_line: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_id: string | null
          p_line: number | null
          p_reason: string | null
          p_sheet: number | null
          p_team_id: string | null
        }
        Returns: Json
      }
      open_access_requests: { Args: { p_team_id: string | null }; Returns: Json }
      open_invitations: { Args: { p_team_id: string | null }; Returns: Json }
      open_sheet: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_details: Json | null
          p_number: number | null
          p_reopen: boolean | null
          p_team_id: string | null
        }
        Returns: Json
      }
      order_charts: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_ids: Json | null
          p_team_id: string | null
        }
        Returns: string
      }
      own_invitations: { Args: { p_actor_id: string | null }; Returns: Json }
      pending_permission_changes: { Args: { p_limit: number | null }; Returns: Json }
      pending_signer_changes: { Args: { p_limit: number | null }; Returns: Json }
      permission_grants: {
        Args: { p_campaign_id: string | null; p_team_id: string | null; p_user_id: string | null }
        Returns: {
          key: string
          permission_set_id: string
          rule: number
          source: string
        }[]
      }
      permission_holders: {
        Args: { p_campaign_id: string | null; p_key: string | null; p_team_id: string | null }
        Returns: Json
      }
      permission_places: { Args: { p_user_id: string | null }; Returns: Json }
      permission_why: {
        Args: {
          p_campaign_id: string | null
          p_key: string | null
          p_team_id: string | null
          p_user_id: string | null
        }
        Returns: Json
      }
      permissions_snapshot: {
        Args: { p_campaign_id: string | null; p_team_id: string | null; p_user_id: string | null }
        Returns: Json
      }
      purge_emails: { Args: Record<PropertyKey, never>; Returns: undefined }
      purge_read_log: { Args: { p_days: number | null }; Returns: number }
      quality_check: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_limit: number | null
          p_team_id: string | null
        }
        Returns: Json
      }
      queue_digests: { Args: Record<PropertyKey, never>; Returns: undefined }
      read_charts: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_dashboard_id: string | null
          p_id: string | null
          p_team_id: string | null
        }
        Returns: Json
      }
      read_dashboard: {
        Args: { p_campaign_id: string | null; p_team_id: string | null }
        Returns: Json
      }
      read_invitation: { Args: { p_token_hash: string | null }; Returns: Json }
      record_line: { Args: { p_actor_id: string | null; p_line: Json | null }; Returns: Json }
      record_read: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_filter: Json | null
          p_kind: string | null
          p_match_count: number | null
          p_row_count: number | null
          p_team_ids: string[] | null
        }
        Returns: undefined
      }
      record_session: {
        Args: { p_actor_id: string | null; p_device: string | null; p_session_id: string | null }
        Returns: undefined
      }
      register_choices: {
        Args: { p_campaign_id: string | null; p_team_id: string | null }
        Returns: Json
      }
      register_counts: {
        Args: { p_campaign_id: string | null; p_filter: Json | null; p_team_id: string | null }
        Returns: Json
      }
      register_lines: {
        Args: {
          p_after: Json | null
          p_campaign_id: string | null
          p_filter: Json | null
          p_limit: number | null
          p_sort: string | null
          p_team_id: string | null
        }
        Returns: Json
      }
      reissue_invitations: {
        Args: {
          p_actor_id: string | null
          p_edit: Json | null
          p_ids: string[] | null
          p_team_id: string | null
        }
        Returns: Json
      }
      remove_line: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_id: string | null
          p_reason: string | null
          p_team_id: string | null
        }
        Returns: Json
      }
      removed_members: { Args: { p_team_id: string | null }; Returns: Json }
      renew_change_numbers: {
        Args: Record<PropertyKey, never>
        Returns: undefined
      }
      renumber_sheet: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_from: number | null
          p_reason: string | null
          p_team_id: string | null
          p_to: number | null
        }
        Returns: Json
      }
      request_signer_rebuilds: {
        Args: { p_campaign_ids: string[] | null }
        Returns: Json
      }
      resize_chart: {
        Args: { p_actor_id: string | null; p_id: string | null; p_width: number | null }
        Returns: string
      }
      restore_chart: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_id: string | null
          p_team_id: string | null
        }
        Returns: string
      }
      restore_line: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_id: string | null
          p_reason: string | null
          p_team_id: string | null
        }
        Returns: Json
      }
      revoke_invitations: {
        Args: { p_actor_id: string | null; p_ids: string[] | null; p_team_id: string | null }
        Returns: Json
      }
      save_chart: { Args: { p_actor_id: string | null; p_chart: Json | null }; Returns: Json }
      save_dashboard: {
        Args: {
          p_actor_id: string | null
          p_before: string | null
          p_campaign_id: string | null
          p_id: string | null
          p_name: string | null
          p_team_id: string | null
        }
        Returns: Json
      }
      save_invitation_token: {
        Args: { p_id: string | null; p_token_hash: string | null }
        Returns: undefined
      }
      save_sheet_details: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_details: Json | null
          p_number: number | null
          p_team_id: string | null
        }
        Returns: Json
      }
      save_text: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_dashboard_id: string | null
          p_id: string | null
          p_name: string | null
          p_team_id: string | null
          p_text: string | null
          p_version: number | null
        }
        Returns: string
      }
      schedule_state: { Args: Record<PropertyKey, never>; Returns: Json }
      search_voters: { Args: { p_params: Json | null }; Returns: Json }
      searches_with_profile: {
        Args: { p_profile: string | null; p_user_id: string | null }
        Returns: boolean
      }
      set_max_age: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_max_age: number | null
          p_team_id: string | null
        }
        Returns: string
      }
      settle_quality_line: {
        Args: {
          p_actor_id: string | null
          p_campaign_id: string | null
          p_id: string | null
          p_right: string | null
          p_team_id: string | null
          p_was: string | null
        }
        Returns: Json
      }
      signer_campaigns: { Args: Record<PropertyKey, never>; Returns: Json }
      signer_count: { Args: { p_campaign_id: string | null }; Returns: number }
      signer_page: {
        Args: { p_after: string | null; p_campaign_id: string | null; p_limit: number | null }
        Returns: Json
      }
      signer_rebuild_requests: {
        Args: Record<PropertyKey, never>
        Returns: Json
      }
      similar_voters: { Args: { p_params: Json | null }; Returns: Json }
      take_quality_line: {
        Args: {
          p_actor_id: string | null
          p_again: string | null
          p_campaign_id: string | null
          p_skip: string | null
          p_team_id: string | null
        }
        Returns: Json
      }
      take_stale_chart: { Args: { p_ids: Json | null }; Returns: string }
      team_activity: {
        Args: { p_filter: Json | null; p_limit: number | null; p_team_id: string | null }
        Returns: Json
      }
      team_members: { Args: { p_team_id: string | null }; Returns: Json }
      team_progress: {
        Args: { p_campaign_ids: string[] | null; p_known: Json | null; p_team_id: string | null }
        Returns: Json
      }
      team_reads: {
        Args: {
          p_actor_id: string | null
          p_filter: Json | null
          p_limit: number | null
          p_team_id: string | null
        }
        Returns: Json
      }
      team_roles: { Args: { p_team_id: string | null }; Returns: Json }
      who_can_grant: { Args: { p_team_id: string | null }; Returns: Json }
      wrong_counts: { Args: Record<PropertyKey, never>; Returns: Json }
    }
    Enums: {
      [_ in never]: never
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}
